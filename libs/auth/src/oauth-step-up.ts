import { Injectable } from '@nestjs/common';
import type { Principal } from '#contracts';
import { StepUp } from '#mcp';
import { Callers } from './callers.js';
import { OauthPlaces } from './oauth-places.js';

/** Fills the protocol's port: a client that people sign in with can ask them for more, a plain token cannot. */
@Injectable()
export class OauthStepUp extends StepUp {
  constructor(
    private readonly callers: Callers,
    private readonly places: OauthPlaces,
  ) {
    super();
  }

  override metadataUrlFor(principal: Principal): string | undefined {
    const resource = this.callers.resourceOf(principal);
    const path = resource === undefined ? undefined : this.places.pathOf(resource);
    return path && this.places.metadataUrl(path);
  }
}
