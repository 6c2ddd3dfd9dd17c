import { Injectable } from '@nestjs/common';
import type { ConnectorReason } from '#contracts';
import { AppError } from '#platform';
import { type Read, readBare, readEnvelope } from './core/answers.js';
import type { ConnectorRequest } from './core/connect-request.js';
import type { OpenConnector } from './connectors.js';
import { ConnectorWire } from './ports.js';
import { isUnconfigured } from './statuses.js';

/** Requests whose failure is told as a stable reason, and nothing else of the answer. */
@Injectable()
export class ConnectorRequests {
  constructor(private readonly wire: ConnectorWire) {}

  /** `/v1`, with the runtime key. */
  async runtime(connector: OpenConnector, request: ConnectorRequest): Promise<Read<unknown>> {
    if (isUnconfigured(connector)) throw failed('unconfigured');
    return readEnvelope(await this.wire.send(connector.target, request));
  }

  /** `/api` of a self-hosted connector, with the admin token; without one it is not for us. */
  async admin(connector: OpenConnector, request: ConnectorRequest): Promise<Read<unknown>> {
    if (connector.adminToken === undefined) throw failed('unsupported');
    return readBare(await this.wire.send({ ...connector.target, key: connector.adminToken }, request));
  }
}

export function failed(reason: ConnectorReason): AppError {
  return new AppError('CONNECTOR_FAILED', 'The connector did not do it', { reason });
}

export function dataOf(read: Read<unknown>): unknown {
  if (read.ok) return read.data;
  throw failed(read.reason);
}

export function listOf(read: Read<unknown>): readonly unknown[] {
  const data = dataOf(read);
  if (!Array.isArray(data)) throw failed('invalid_response');
  return data as readonly unknown[];
}
