import { executorContract } from '../../../test/support/executor-contract.js';
import { FakeExecutor } from '../../../test/support/fake-executor.js';
import type { RunId } from '#contracts';
import { Bench } from './executor/executor.contract.js';
import type { RunSpec } from './executor/protocol.js';

describe('FakeExecutor', () => {
  const spec = (runId: RunId): RunSpec => ({
    runId,
    stages: [{ join: 'first', redirects: [], executable: '/bin/echo', argv: ['echo', 'hello'] }],
    cwd: '/',
    env: {},
    timeoutMs: 1_000,
    maxOutputBytes: 1_000,
    sandbox: { workspaceRoot: '/', workspaceWritable: false, gitWritable: false, network: 'none', hidden: [] },
    sandboxRequired: false,
  });

  executorContract(
    () => {
      const executor = new FakeExecutor();
      return Promise.resolve({
        executor,
        quick: spec,
        slow: (runId) => {
          executor.holds = true;
          return spec(runId);
        },
      });
    },
    () => Promise.resolve(),
  );
});

/** The fake that other specs rely on keeps what the real one keeps. */
describe('ExecutorProcess', () => {
  let bench: Bench;

  executorContract(
    async () => {
      bench = await Bench.open();
      return {
        executor: bench.executor,
        quick: (runId) => bench.spec([{ argv: ['echo', 'hello'] }], { runId }),
        slow: (runId) => bench.spec([{ argv: ['sleep', '60'] }], { runId }),
      };
    },
    () => bench.close(),
  );
});
