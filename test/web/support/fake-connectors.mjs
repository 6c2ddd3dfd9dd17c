/** Connectors as the server shows them: a catalog of realistic size, and one call whose outcome nobody knows. */
const ID = '0192aaaa-0000-7000-8000-00000000c001';
const connector = {
  id: ID,
  name: 'team',
  workspaces: [],
  teamName: null,
  teamNameEnv: 'OOMOL_TEAM_NAME',
  serverName: 'oomol',
  toolCallTimeoutMs: 60_000,
  failOnStartupError: false,
  keySource: 'stored',
  hasAdminToken: true,
  leastPrivilege: false,
  createdAt: 1,
  changedAt: 1,
  configuration: {
    mode: 'self-hosted',
    endpoint: 'https://connect.example.com/mcp',
    apiKeyEnv: 'OOMOL_CONNECT_RUNTIME_TOKEN',
    credentialRequired: false,
    connectionsManagement: 'embedded',
    consoleUrl: 'https://connect.example.com',
  },
};
const status = {
  phase: 'connected',
  errorCode: null,
  serverName: 'oomol-connect',
  serverVersion: '0.1.0',
  protocolVersion: '2025-11-25',
  toolCount: 5,
  latencyMs: 12,
  openToAnyone: true,
  checkedAt: '2026-11-30T12:00:00.000Z',
};
const run = {
  runId: '0192aaaa-0000-7000-8000-00000000c002',
  connectorId: ID,
  action: 'github.create_issue',
  account: 'octocat',
  status: 'unknown',
  findings: [{ at: 1, kind: 'silence', text: 'No answer (network)', executionId: null }],
  resolution: null,
};

function row(service, name, state, more = {}) {
  return { service, name, iconUrl: null, homepageUrl: null, categories: [{ id: 'dev', name: 'Developer' }], authTypes: ['api_key'], state, accounts: 0, ...more }; // prettier-ignore
}
const fillers = Array.from({ length: 1_405 }, (_, at) => row(`filler_${at}`, `Filler ${String(at).padStart(4, '0')}`, 'not_connected', { categories: [{ id: `c${at % 12}`, name: `Category ${at % 12}` }] })); // prettier-ignore
const github = row('github', 'GitHub', 'connected', { accounts: 1, authTypes: ['oauth2', 'api_key'] });
const account = { id: 'acc-1', service: 'github', connectionName: 'default', label: 'octocat', providerAccountId: 'octocat', authType: 'api_key', status: 'active', isDefault: true, scopes: [], createdAt: 1, updatedAt: 1 }; // prettier-ignore
const effect = { effect: 'write', source: 'verb', reason: 'Its name begins with “create”, which changes something.' };
const action = { id: 'github.create_issue', service: 'github', name: 'create_issue', description: 'Create an issue.', effect, requiredScopes: ['repo'], isAllowedThere: true, needsAccount: true }; // prettier-ignore
const detail = {
  ...github,
  connected: [account],
  apiKey: { label: 'Token', placeholder: null, description: null, extraFields: [] },
  customCredential: null,
  oauth: { isReady: true, scopesRequired: false, scopes: [{ value: 'delete_repo', required: false, defaultSelected: false, risk: 'destructive' }], redirectUri: null, clientId: null, canConfigure: true }, // prettier-ignore
};

export function fakeConnectors(json) {
  const answers = {
    connectors: { items: [connector] },
    status,
    test: status,
    runs: { items: [run] },
    providers: { items: [github, ...fillers], total: 1_406 },
    provider: detail,
    connect: { account },
    search: { items: [action], total: 1 },
    guide: { ...action, inputSchema: { type: 'object' }, outputSchema: null, schemaDigest: 'a'.repeat(64), guide: '# github.create_issue', accounts: [account] }, // prettier-ignore
    key: connector,
  };
  return Object.entries(answers).map(([name, answer]) => [
    new RegExp(`^POST oomol/${name}$`),
    ({ response }) => json(response, 200, answer),
  ]);
}
