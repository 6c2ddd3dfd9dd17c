export { ConnectedHosts } from './connected-hosts.js';
export type { ConnectedHost, HostNews } from './connected-hosts.js';
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
