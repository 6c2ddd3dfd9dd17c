import { ROLES, type Role } from '#contracts';
import { ConfigError, readConfig } from '#platform';
import * as z from 'zod';
import { readRoleMap } from './core/sso-rules.js';

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** Single sign-on for people, as documented in docs/configuration.md (checked). */
export const SsoEnv = z.object({
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_LABEL: z.string().min(1).max(64).default('Single sign-on'),
  OIDC_ALLOWED_DOMAINS: list.default([]),
  OIDC_ROLES_CLAIM: z.string().min(1).default('groups'),
  OIDC_ROLES: list.default([]),
});

export interface SsoSettings {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly label: string;
  readonly allowedDomains: readonly string[];
  readonly rolesClaim: string;
  /** By the value of the claim; empty: nobody is made, and roles stay as they are given here. */
  readonly roles: ReadonlyMap<string, Role>;
}

/** The provider that people may sign in with; undefined: there is none. Also the injection token. */
export class SsoConfig {
  readonly settings: SsoSettings | undefined;

  constructor(env: z.output<typeof SsoEnv>) {
    const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = env;
    if ((issuer === undefined) !== (clientId === undefined)) {
      throw new ConfigError(['OIDC_ISSUER', 'OIDC_CLIENT_ID'], 'OIDC_ISSUER and OIDC_CLIENT_ID are set together or not at all');
    }
    const roles = readRoleMap(env.OIDC_ROLES);
    if (!roles) throw new ConfigError(['OIDC_ROLES'], `OIDC_ROLES is a list of value=role, with the roles ${ROLES.join(', ')}`);
    if (issuer === undefined || clientId === undefined) return;
    this.settings = {
      issuer: new URL(issuer),
      clientId,
      clientSecret: env.OIDC_CLIENT_SECRET,
      label: env.OIDC_LABEL,
      allowedDomains: env.OIDC_ALLOWED_DOMAINS.map((domain) => domain.toLowerCase()),
      rolesClaim: env.OIDC_ROLES_CLAIM,
      roles,
    };
  }

  static read(): SsoConfig {
    return new SsoConfig(readConfig(SsoEnv));
  }
}
