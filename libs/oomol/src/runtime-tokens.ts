import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AppLog, EventFeed } from '#platform';
import { PolicyDocuments } from '#policy';
import { isFields } from './core/answers.js';
import { tokenRules } from './core/token-rules.js';
import { Connectors, type OpenConnector } from './connectors.js';
import { ConnectorRequests, dataOf, failed } from './requests.js';

/**
 * A second wall: on self-hosted connectors calls go out with a runtime token of our own, which allows no more than policy does. The new
 * one is in use before the old one goes, so that there is always one: without any the connector would be open to everyone.
 */
@Injectable()
export class RuntimeTokens implements OnApplicationBootstrap {
  constructor(
    private readonly connectors: Connectors,
    private readonly requests: ConnectorRequests,
    private readonly documents: PolicyDocuments,
    private readonly feed: EventFeed,
    private readonly log: AppLog,
  ) {}

  onApplicationBootstrap(): void {
    this.feed.live.subscribe((event) => {
      if (event.type === 'policy.changed') void this.#rotateAll();
    });
  }

  async rotate(connector: OpenConnector): Promise<void> {
    const { held, adminToken } = connector;
    if (!held.settings.leastPrivilege || adminToken === undefined) throw failed('unsupported');
    const rules = tokenRules((await this.documents.current()).document);
    if (!rules) throw failed('unsupported');
    const body = { name: `countersign-${held.id.slice(-8)}`, ...rules };
    const minted = dataOf(await this.requests.admin(connector, { method: 'POST', path: '/api/runtime-tokens', body }));
    const record = isFields(minted) && isFields(minted['record']) ? minted['record'] : {};
    if (!isFields(minted) || typeof minted['token'] !== 'string' || typeof record['id'] !== 'string') throw failed('invalid_response');
    const isKept = await this.connectors.keepRuntimeToken(held, { token: minted['token'], id: record['id'] });
    const old = isKept ? held.runtimeTokenId : record['id'];
    if (old === null) return;
    await this.requests.admin(connector, { method: 'DELETE', path: `/api/runtime-tokens/${encodeURIComponent(old)}` });
    if (!isKept) throw failed('cancelled');
  }

  async #rotateAll(): Promise<void> {
    for (const connector of await this.connectors.all()) {
      if (!connector.held.settings.leastPrivilege || connector.adminToken === undefined) continue;
      await this.rotate(connector).catch(() => {
        this.log.warn(`The runtime token of the connector ${connector.held.id} could not be renewed`, RuntimeTokens.name);
      });
    }
  }
}
