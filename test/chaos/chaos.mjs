// `npm run chaos -- --flows 300 --seed 1 --engine sqlite`: by default 300 flows on each engine, with a fixed seed.
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres.mjs';
import { runChaos } from './harness.mjs';

const KINDS = {
  'acknowledged receipts lost': 'lost',
  'receipts that do not verify': 'unverified',
  'commands run twice': 'twice',
  'runs without a receipt': 'no receipt',
  'untrue words': 'untrue',
  'processes or folders left': 'left',
  'faults in the ledger': 'ledger',
  'servers fallen by themselves': 'fallen',
  'flows stuck': 'stuck',
};
const { values } = parseArgs({
  options: {
    flows: { type: 'string', default: '300' },
    seed: { type: 'string', default: '20261130' },
    engine: { type: 'string', default: 'both' },
  },
});
const [flows, seed] = [wholeNumber('flows'), wholeNumber('seed')];
const engines = ['sqlite', 'postgres'].filter((engine) => values.engine === 'both' || values.engine === engine);
if (engines.length === 0) throw new Error('--engine is sqlite, postgres or both');

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

let failed = 0;
for (const engine of engines) failed += await runOn(engine);
console.log(failed === 0 ? '\nNothing lost, nothing twice, nothing without a receipt, nothing left.' : `\n${failed} promises broken.`);
process.exitCode = failed === 0 ? 0 : 1;

async function runOn(engine) {
  const startedAt = performance.now();
  const postgres = engine === 'postgres' ? await startPostgres() : undefined;
  try {
    const report = await runChaos({ engine, databaseUrl: postgres?.url, flows, seed });
    console.log(`\n${engine}: ${report.flows} flows, seed ${seed}, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    for (const [name, count] of Object.entries(report.faults)) console.log(`  ${String(count).padStart(4)} × ${name}`);
    for (const [end, count] of Object.entries(report.ends)) console.log(`  ${String(count).padStart(4)} flows ${end}`);
    console.log(`  ${String(report.acknowledged).padStart(4)} receipts acknowledged, ${report.receipts} in the ledger`);
    for (const [what, kind] of Object.entries(KINDS)) {
      const found = report.wrong.filter((line) => line.startsWith(`${kind}:`));
      console.log(`  ${String(found.length).padStart(4)} ${what}`);
    }
    for (const line of report.wrong) console.error(`  WRONG ${line}`);
    return report.wrong.length;
  } finally {
    await postgres?.stop();
  }
}

function wholeNumber(name) {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} is a whole number from 1`);
  return number;
}
