import { Body, Controller, Get, HttpCode, Param, ParseUUIDPipe, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Principal, PrincipalId } from '#contracts';
import { Caller, EventFeed, Requires } from '#platform';
import { Logins } from '../logins.js';
import { People } from '../people.js';
import { ChangePersonDto, CreatePersonDto, PeopleDto, PersonDto, ResetPasswordDto } from './people.dto.js';

/** REST door of people, for administrators. */
@ApiTags('people')
@Controller('people')
@Requires('admin')
export class PeopleController {
  constructor(
    private readonly people: People,
    private readonly logins: Logins,
    private readonly feed: EventFeed,
  ) {}

  @Get()
  @ApiOkResponse({ type: PeopleDto })
  async list(@Caller() by: Principal): Promise<PeopleDto> {
    const seq = this.feed.head; // before the read: an event may come twice, never not at all
    return new PeopleDto({ items: await this.people.list(by), seq });
  }

  @Post()
  @ApiCreatedResponse({ type: PersonDto })
  async create(@Caller() by: Principal, @Body() { name, password, roles }: CreatePersonDto): Promise<PersonDto> {
    return new PersonDto(await this.people.create({ by, name, password, roles }));
  }

  @Patch(':id')
  @ApiOkResponse({ type: PersonDto })
  async change(
    @Caller() by: Principal,
    @Param('id', ParseUUIDPipe) id: PrincipalId,
    @Body() { roles, disabled }: ChangePersonDto,
  ): Promise<PersonDto> {
    return new PersonDto(await this.people.change({ by, id, roles, disabled }));
  }

  @Post(':id/password')
  @HttpCode(204)
  @ApiNoContentResponse()
  async resetPassword(
    @Caller() by: Principal,
    @Param('id', ParseUUIDPipe) id: PrincipalId,
    @Body() { password }: ResetPasswordDto,
  ): Promise<void> {
    await this.logins.reset(by, id, password);
  }
}
