export { hostsMigrations } from './adapters/hosts.migrations.js';
export { ConnectedHosts } from './connected-hosts.js';
export type { ConnectedHost, HostNews } from './connected-hosts.js';
export { HostConnections } from './host-connections.js';
export { Hosts } from './hosts.js';
export { HostsModule } from './hosts.module.js';
export { HostPackages } from './supervisor/host-packages.js';
export { RelayConfig, RelayEnv } from './relay.config.js';
export { HostDriver } from './host-driver.js';
export type {
  AgentOptions,
  AskEnd,
  CredentialState,
  GoalRef,
  HostEvent,
  HostFacts,
  HostGoal,
  HostQuestion,
  HostSession,
  HostSessionStatus,
  HostWorkspace,
  LogEvent,
  QuestionAnswer,
  RaisedApproval,
  RaisedAsk,
  RaisedQuestions,
} from './host-driver.js';
export { drivingMigrations } from './adapters/relay-driving.migrations.js';
export { DrivingModule } from './driving.module.js';
