import { NestFactory } from '@nestjs/core';
import { AppLog, findMasterKey, inspectBackup, loadBackup, openDatabase, PlatformConfig, PlatformModule, SecretBox } from '#platform';
import { LedgerCheck, ReceiptsModule } from '#receipts';
import { MIGRATIONS } from '../app.module.js';
import { readLines } from '../backup-file.js';
import { sentenceOf } from '../ledger-sentence.js';

const USAGE = 'Usage: countersign restore FILE\n';

/** Brings back a backup into an empty data folder or database, and proves the whole ledger. 0 when all of it holds. */
export async function restore([file, ...rest]: readonly string[]): Promise<number> {
  if (file === undefined || file.startsWith('-') || rest.length > 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  const config = PlatformConfig.read();
  const key = findMasterKey(config.dataDir, config.secretKey);
  if (!key) {
    const words = 'Restoring needs the secret key of that time: put its secret.key file into the data folder';
    throw new Error(`${words} ${JSON.stringify(config.dataDir)}, or set COUNTERSIGN_SECRET_KEY`);
  }
  const box = new SecretBox(key);
  const head = await inspectBackup(readLines(file), box);
  const db = openDatabase({ dataDir: config.dataDir, databaseUrl: config.databaseUrl });
  try {
    const rows = await loadBackup(db, { head, lines: readLines(file), box }, MIGRATIONS);
    process.stdout.write(`${String(rows)} rows of ${head.createdAt} are back.\n`);
  } finally {
    await db.destroy();
  }
  return proveLedger(config);
}

/** Without the rest of the product, so that nothing is added before everything is looked at. */
async function proveLedger(config: PlatformConfig): Promise<number> {
  const imports = [PlatformModule.forRoot({ migrations: MIGRATIONS, config }), ReceiptsModule];
  const app = await NestFactory.createApplicationContext(
    { module: class LedgerModule {}, imports },
    {
      logger: new AppLog(config),
      abortOnError: false,
    },
  );
  try {
    const findings = await app.get(LedgerCheck).all();
    process.stdout.write(`${sentenceOf(findings)}\n`);
    return findings.problems.length === 0 ? 0 : 1;
  } finally {
    await app.close();
  }
}
