import { readConfig } from '#platform';
import * as z from 'zod';

/** How clients of the protocol may sign in, as documented in docs/configuration.md (checked). */
export const OauthEnv = z.object({
  OAUTH: z.enum(['on', 'off']).default('on'),
  OAUTH_REGISTRATION: z.enum(['on', 'off']).default('on'),
});

/** Whether this server signs clients in, and whether they may register by themselves. Also the injection token. */
export class OauthConfig {
  readonly isOn: boolean;
  readonly allowsRegistration: boolean;

  constructor(env: z.output<typeof OauthEnv>) {
    this.isOn = env.OAUTH === 'on';
    this.allowsRegistration = this.isOn && env.OAUTH_REGISTRATION === 'on';
  }

  static read(): OauthConfig {
    return new OauthConfig(readConfig(OauthEnv));
  }
}
