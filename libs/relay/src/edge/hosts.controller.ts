import { Body, Controller, Delete, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import type { HostId, HostView, Principal } from '#contracts';
import { AppError, Caller, Clock, EventFeed, Requires, StepUp, unwrap } from '#platform';
import { toSettings } from '../core/host-settings.js';
import { HostConnections } from '../host-connections.js';
import { type HostChanges, Hosts } from '../hosts.js';
import { HostPackages } from '../supervisor/host-packages.js';
import { ChangeHostDto, CreateHostDto, type HostsView, type HostTest } from './hosts.dto.js';

/** REST door of hosts: what is set, how they do, and starting and stopping them. */
@ApiTags('hosts')
@Controller('hosts')
@Requires('admin')
export class HostsController {
  constructor(
    private readonly hosts: Hosts,
    private readonly connections: HostConnections,
    private readonly packages: HostPackages,
    private readonly feed: EventFeed,
    private readonly clock: Clock,
  ) {}

  @Get()
  async list(): Promise<HostsView> {
    const seq = this.feed.head; // before the rows: what happens in between is told again
    return { items: await this.connections.views(), seq, package: this.packages.view };
  }

  @Get(':id')
  one(@Param('id', ParseUUIDPipe) id: HostId): Promise<HostView> {
    return this.connections.view(id);
  }

  @Post()
  @StepUp()
  async create(@Caller() by: Principal, @Body() body: CreateHostDto): Promise<HostView> {
    const { name, key = null, workspaces = [], autoApproveEscalations = false } = body;
    const settings = unwrap(toSettings(body.settings));
    const { id } = await this.hosts.create({ by, name, settings, key, workspaces, autoApproveEscalations });
    return this.connections.view(id);
  }

  @Patch(':id')
  @StepUp()
  async change(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: HostId, @Body() body: ChangeHostDto): Promise<HostView> {
    const { name, key, withoutKey, workspaces, autoApproveEscalations } = body;
    const changes: HostChanges = {
      ...(name !== undefined && { name }),
      ...(body.settings && { settings: unwrap(toSettings(body.settings)) }),
      ...(key !== undefined && { key }),
      ...(withoutKey === true && { key: null }),
      ...(workspaces !== undefined && { workspaces }),
      ...(autoApproveEscalations !== undefined && { autoApproveEscalations }),
    };
    await this.hosts.change(by, id, changes);
    await this.connections.apply(id);
    return this.connections.view(id);
  }

  @Delete(':id')
  @StepUp()
  @HttpCode(204)
  @ApiNoContentResponse()
  async remove(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: HostId): Promise<void> {
    await this.hosts.remove(by, id);
  }

  @Post(':id/start')
  @HttpCode(200)
  start(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: HostId): Promise<HostView> {
    return this.#want(by, id, true);
  }

  @Post(':id/stop')
  @HttpCode(200)
  stop(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: HostId): Promise<HostView> {
    return this.#want(by, id, false);
  }

  @Post(':id/restart')
  @HttpCode(200)
  async restart(@Caller() by: Principal, @Param('id', ParseUUIDPipe) id: HostId): Promise<HostView> {
    await this.#want(by, id, true);
    await this.connections.restart(id);
    return this.connections.view(id);
  }

  /** Asks the host something, now. */
  @Post(':id/test')
  @HttpCode(200)
  async test(@Param('id', ParseUUIDPipe) id: HostId): Promise<HostTest> {
    await this.hosts.get(id);
    const host = this.connections.find(id);
    if (host?.state !== 'connected') throw new AppError('HOST_UNAVAILABLE', 'The host is not connected', { hostId: id });
    const began = this.clock.steady();
    const { length: sessions } = await host.driver.sessions();
    return { tookMs: this.clock.steady() - began, sessions };
  }

  async #want(by: Principal, id: HostId, isWanted: boolean): Promise<HostView> {
    await this.hosts.change(by, id, { isWanted });
    await this.connections.apply(id);
    return this.connections.view(id);
  }
}
