import { stat } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { AppLog, Database, dumpDatabase, PlatformConfig, PlatformModule, SecretBox } from '#platform';
import { DERIVED_TABLES } from '#receipts';
import { MIGRATIONS } from '../app.module.js';
import { writeLines } from '../backup-file.js';

const USAGE = 'Usage: countersign backup FILE\n';
const MEGABYTE = 1_000_000;

/** All data of one moment in one file, while the server goes on. The secret key is not in it. */
export async function backup([file, ...rest]: readonly string[]): Promise<number> {
  if (file === undefined || file.startsWith('-') || rest.length > 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  const config = PlatformConfig.read();
  const app = await NestFactory.createApplicationContext(PlatformModule.forRoot({ migrations: MIGRATIONS, config }), {
    logger: new AppLog(config),
    abortOnError: false,
  });
  try {
    const options = { box: app.get(SecretBox), version: config.version, createdAt: new Date().toISOString(), derived: DERIVED_TABLES };
    await writeLines(file, dumpDatabase(app.get(Database), options));
  } finally {
    await app.close();
  }
  const { size } = await stat(file);
  process.stdout.write(
    `${file} is written, ${(size / MEGABYTE).toFixed(1)} MB. Keep the secret key in another place; without it nobody can restore.\n`,
  );
  return 0;
}
