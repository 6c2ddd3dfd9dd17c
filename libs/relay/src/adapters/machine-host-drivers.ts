import { Injectable } from '@nestjs/common';
import type { AcpSettings } from '#contracts';
import { PlatformConfig } from '#platform';
import type { HostDriver } from '../host-driver.js';
import { HostDrivers, type HostRun } from '../ports.js';
import { startAgent } from '../supervisor/agent-process.js';
import { AcpDriver } from './acp-driver.js';
import { AttachDriver } from './attach-driver.js';
import { BridgeDriver } from './bridge-driver.js';

/** The drivers of hosts on this machine. */
@Injectable()
export class MachineHostDrivers extends HostDrivers {
  constructor(private readonly platform: PlatformConfig) {
    super();
  }

  override bridge({ port, token }: HostRun): HostDriver {
    return new BridgeDriver(port ?? 0, token);
  }

  override attach(url: string): HostDriver {
    return new AttachDriver(url);
  }

  override acp(settings: AcpSettings, id: string): HostDriver {
    return new AcpDriver(() => startAgent(settings, `${this.platform.dataDir}/hosts/${id}`));
  }
}
