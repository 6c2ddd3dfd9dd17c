import { accessSync, constants, existsSync, statSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { sql } from 'kysely';
import { LocalCallers } from '#auth';
import { TOOLS, type Principal, type ReceiptId } from '#contracts';
import { ExecutionConfig, Executor, Workspaces } from '#execution';
import { McpRegistry } from '#mcp';
import { Database, PlatformConfig, SecretBox } from '#platform';
import { LedgerCheck, Receipts } from '#receipts';
import { AppModule } from '../app.module.js';

/** A line of the report: it passes with a fact, or says how to mend what is wrong. */
interface Finding {
  readonly name: string;
  readonly passed: boolean;
  readonly text: string;
}
/** How many receipts and how many kept heads are checked. */
const NEWEST = 20;

type Look = () => string | Promise<string>;

/** Checks this machine and this data folder. 0 when every line passes. */
export async function doctor(): Promise<number> {
  const findings = [await look('Node.js', nodeVersion), await look('Settings', settings), await look('Data folder', dataFolder)];
  if (findings.every(({ passed }) => passed)) findings.push(...(await lookInside()));
  for (const { name, passed, text } of findings) process.stdout.write(`${passed ? 'pass' : 'FAIL'}  ${name.padEnd(15)}${text}\n`);
  return findings.every(({ passed }) => passed) ? 0 : 1;
}

async function lookInside(): Promise<readonly Finding[]> {
  let app: INestApplicationContext;
  try {
    app = await NestFactory.createApplicationContext(AppModule.forRoot(), { logger: false, abortOnError: false });
  } catch (thrown) {
    return [{ name: 'Start', passed: false, text: messageOf(thrown) }];
  }
  try {
    return [
      await look('Database', () => database(app.get(Database))),
      await look('Keys', () => keys(app.get(SecretBox))),
      await look('Workspace', () => workspaces(app.get(Workspaces))),
      await look('Sandbox', () => sandbox(app.get(Executor), app.get(ExecutionConfig))),
      await look('MCP dispatcher', () => dispatcher(app.get(McpRegistry))),
      await look('Ledger', () => ledger(app.get(Receipts), app.get(LocalCallers).commandLine())),
      await look('Checkpoints', () => checkpoints(app.get(LedgerCheck))),
    ];
  } finally {
    await app.close();
  }
}

async function look(name: string, check: Look): Promise<Finding> {
  try {
    return { name, passed: true, text: await check() };
  } catch (thrown) {
    return { name, passed: false, text: messageOf(thrown) };
  }
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function nodeVersion(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 15)) return process.versions.node;
  throw new Error(`${process.versions.node} is older than 24.15; start with npm or npx, which bring a newer one`);
}

function settings(): string {
  const { publicUrl } = PlatformConfig.read();
  ExecutionConfig.read();
  return `readable; the address is ${publicUrl}`;
}

function dataFolder(): string {
  const { dataDir } = PlatformConfig.read();
  if (!existsSync(dataDir)) return `${dataDir} will be made at the first start`;
  if (!statSync(dataDir).isDirectory()) throw new Error(`${dataDir} is a file; move it away or set COUNTERSIGN_DATA`);
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`${dataDir} is not writable for this user; change its owner or set COUNTERSIGN_DATA`, { cause });
  }
  if ((statSync(dataDir).mode & 0o077) !== 0) throw new Error(`${dataDir} is open to other users; run chmod 700 on it`);
  return `${dataDir} is writable and private`;
}

async function database(db: Database): Promise<string> {
  if (db.engine === 'postgres') {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db);
    return `PostgreSQL ${rows[0]?.version ?? ''} answers`;
  }
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check`.execute(db);
  if (rows[0]?.quick_check === 'ok') return 'SQLite file is sound';
  throw new Error(`the SQLite file is damaged (${rows[0]?.quick_check ?? 'no answer'}); restore it from a backup`);
}

function keys(box: SecretBox): string {
  if (box.open(box.seal('doctor')) !== 'doctor') throw new Error('the master key does not open what it sealed');
  return 'the master key seals and opens';
}

async function workspaces(owner: Workspaces): Promise<string> {
  const all = await owner.list();
  if (all.length === 0) throw new Error('none is registered; register one in the console under Admin');
  for (const workspace of all) owner.assertPresent(workspace);
  return all.map(({ name, root, mode }) => `${name} at ${root} (${mode})`).join(', ');
}

async function sandbox(executor: Executor, config: ExecutionConfig): Promise<string> {
  const { facts, advice } = await executor.report();
  const found = `${facts.kind}${facts.version === null ? '' : ` ${facts.version}`}, ${facts.enforcement}`;
  if (config.sandbox === 'required' && facts.enforcement !== 'full')
    throw new Error(`${found}, but SANDBOX=required. ${advice ?? ''}`.trim());
  return advice === null ? found : `${found}. ${advice}`;
}

function dispatcher(registry: McpRegistry): string {
  const missing = TOOLS.filter((name) => !registry.tools.has(name));
  if (missing.length > 0) throw new Error(`tools are missing: ${missing.join(', ')}; build again`);
  return `${String(registry.tools.size)} tools answer`;
}

/** Proves the evidence instead of believing it: the newest receipts are checked as an outsider would. */
async function ledger(receipts: Receipts, by: Principal): Promise<string> {
  const { items } = await receipts.page({ principal: by, limit: NEWEST });
  const checks = await Promise.all(items.map(({ id }) => receipts.verify(by, id as ReceiptId)));
  const broken = checks.flat().filter(({ ok }) => ok === false);
  if (broken.length > 0) throw new Error(`a receipt does not verify: ${broken.map(({ name, detail }) => `${name}: ${detail}`).join('; ')}`);
  return items.length === 0 ? 'no receipt yet' : `the newest ${String(items.length)} receipts verify`;
}

/** An old head that the ledger of today does not go on from means that somebody rewrote it. */
async function checkpoints(check: LedgerCheck): Promise<string> {
  const { checkpoints: count, problems } = await check.heads(NEWEST);
  if (problems.length > 0) throw new Error(problems.join('; '));
  return count === 0 ? 'no head was kept yet' : `the newest ${String(count)} kept heads are signed, and each goes on from the one before`;
}
