import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '#platform';
import { announcedAt, isResourcePath, RESOURCE_PATHS, suggestedAt, type ResourcePath } from './core/oauth-places.js';
import { OauthConfig } from './oauth.config.js';

export const PROTECTED = '/.well-known/oauth-protected-resource';

/** Owner of the addresses of OAuth: what is asked from the outside, so the public address counts, not the one that was called. */
@Injectable()
export class OauthPlaces {
  constructor(
    private readonly platform: PlatformConfig,
    private readonly oauth: OauthConfig,
  ) {}

  get isOn(): boolean {
    return this.oauth.isOn;
  }

  get issuer(): string {
    return `${this.platform.publicUrl}/oauth`;
  }

  get basePath(): string {
    return this.platform.basePath;
  }

  get publicUrl(): string {
    return this.platform.publicUrl;
  }

  resource(path: ResourcePath): string {
    return `${this.platform.publicUrl}${path}`;
  }

  /** Undefined: not one of ours. */
  pathOf(resource: string): ResourcePath | undefined {
    return RESOURCE_PATHS.find((path) => this.resource(path) === resource);
  }

  /** Below the public address, so that it is ours also where a proxy hands on nothing else. */
  metadataUrl(path: ResourcePath): string {
    return `${this.platform.publicUrl}${PROTECTED}${path}`;
  }

  /** RFC 9728. */
  metadata(path: ResourcePath): object {
    return {
      resource: this.resource(path),
      authorization_servers: [this.issuer],
      scopes_supported: announcedAt(path),
      bearer_methods_supported: ['header'],
      resource_name: 'Countersign',
    };
  }

  /** What a refused client is told besides, at a door of the protocol; undefined elsewhere. */
  hintsAt(routePath: string): { readonly resourceMetadata: string; readonly suggested: string } | undefined {
    if (!this.isOn || !isResourcePath(routePath)) return undefined;
    return { resourceMetadata: this.metadataUrl(routePath), suggested: suggestedAt(routePath).join(' ') };
  }
}
