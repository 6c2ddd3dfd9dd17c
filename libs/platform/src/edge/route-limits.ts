/** Key under which the Fastify adapter of Nest keeps a route's config; it exports no setter that merges. */
const ROUTE_CONFIG = '__fastify_route_config__';

declare module 'fastify' {
  interface FastifyContextConfig {
    bodyLimit?: number;
  }
}

/** A route that takes more, or less, than MAX_REQUEST_BYTES. */
export function BodyLimit(bytes: number): MethodDecorator {
  return (_target, _name, descriptor) => {
    const handler = descriptor.value as object;
    const config = Reflect.getMetadata(ROUTE_CONFIG, handler) as object | undefined;
    Reflect.defineMetadata(ROUTE_CONFIG, { ...config, bodyLimit: bytes }, handler);
  };
}
