import pg, { TypeOverrides } from 'pg';
import { EVENT_CHANNEL, type Watch } from '../database.js';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_MS = 1_000;
const INT8 = 20;

/** Numbers where the server sends int8 as text: every number here is below 2^53. */
const types = new TypeOverrides();
types.setTypeParser(INT8, Number);

export function openPool(url: string, failed: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true, // a line that went silent is noticed
    application_name: 'countersign',
    types,
  });
  // a connection that dies, idle or lent out between two statements, must not end the process
  pool.on('error', failed);
  pool.on('connect', (client) => client.on('error', () => undefined)); // whoever uses it is told by the next statement
  return pool;
}

/** Listens for the numbers that commits announce. Notifications are not stored, so each connect counts as a change. */
export function watchPostgres(url: string): Watch {
  return (changed) => {
    let stopped = false;
    let client: pg.Client | undefined;
    let retry: NodeJS.Timeout | undefined;

    const again = (): void => {
      client = undefined;
      if (stopped || retry) return;
      retry = setTimeout(() => {
        retry = undefined;
        connect();
      }, RECONNECT_MS);
      retry.unref();
    };
    const connect = (): void => {
      const next = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        keepAlive: true,
        application_name: 'countersign',
      });
      client = next;
      next.on('error', again);
      next.on('end', again);
      next.on('notification', changed);
      next
        .connect()
        .then(() => next.query(`listen ${EVENT_CHANNEL}`))
        .then(changed, again);
    };
    connect();
    return async () => {
      stopped = true;
      clearTimeout(retry);
      await client?.end();
    };
  };
}
