import { Module } from '@nestjs/common';
import { ExecutionModule } from '#execution';
import { ReceiptsModule } from '#receipts';
import { KyselyHostRepository } from './adapters/kysely-host.repository.js';
import { MachineHostDrivers } from './adapters/machine-host-drivers.js';
import { ConnectedHosts } from './connected-hosts.js';
import { HostsController } from './edge/hosts.controller.js';
import { HostConnections } from './host-connections.js';
import { Hosts } from './hosts.js';
import { HostDrivers, HostProcesses, HostRepository } from './ports.js';
import { RelayConfig } from './relay.config.js';
import { HostPackages } from './supervisor/host-packages.js';
import { SupervisedProcesses } from './supervisor/supervised-processes.js';

/** Owns hosts: what is set, their processes, and the connections to them. */
@Module({
  imports: [ReceiptsModule, ExecutionModule],
  controllers: [HostsController],
  providers: [
    Hosts,
    HostConnections,
    HostPackages,
    { provide: ConnectedHosts, useExisting: HostConnections },
    { provide: RelayConfig, useFactory: () => RelayConfig.read() },
    { provide: HostRepository, useClass: KyselyHostRepository },
    { provide: HostProcesses, useClass: SupervisedProcesses },
    { provide: HostDrivers, useClass: MachineHostDrivers },
  ],
  exports: [ConnectedHosts],
})
export class HostsModule {}
