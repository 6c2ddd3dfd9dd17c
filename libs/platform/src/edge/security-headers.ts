import type { FastifyHelmetOptions } from '@fastify/helmet';

const HALF_A_YEAR_S = 15_552_000;

/**
 * Headers of every answer. No script but the server's own files. Styles are allowed inline: Angular, Material and the
 * terminal put their styles into the page while it runs, and a nonce for each page would keep the page from being a file.
 */
export function securityHeaders(isHttps: boolean): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    hsts: isHttps ? { maxAge: HALF_A_YEAR_S, includeSubDomains: false } : false,
  };
}
