import { HOST_ABILITIES } from '#contracts';
import { FakeHost } from '../../../test/support/fake-host.js';
import { describeHostDriver } from './host-driver.contract.js';

const world = (abilities: readonly (typeof HOST_ABILITIES)[number][]) => () =>
  Promise.resolve({ driver: new FakeHost(abilities), cwd: '/srv/work', close: () => Promise.resolve() });

describe('a fake host', () => describeHostDriver(world(HOST_ABILITIES), HOST_ABILITIES));

describe('a fake host that can do little', () => {
  const LITTLE = ['sessions', 'messages', 'cancel', 'approvals'] as const;
  describeHostDriver(world(LITTLE), LITTLE);
});
