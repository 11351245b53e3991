import type { MethodDefinition } from '@grpc/grpc-js';
import { accessOf, type Access } from '../identity/access';
import type { CallContext } from './call-context';
import type { PublicHandler } from './public-server';
import { serveRequest, type ServingEnvironment } from './serve-request';
import type { ServedMethod } from './served-method';
import type { MethodName, UnaryDefinition, UnaryHandlers } from './unary';

/** A service with its handlers, created by `grpcService` or `publicGrpcService`. */
export interface GrpcService {
  /** Fully qualified name, such as parley.auth.v1.AuthService. */
  readonly name: string;
  methods(environment: ServingEnvironment): readonly ServedMethod[];
  /** Handles the requests of PublicService; absent if the service has no public routes. */
  readonly publicHandler?: PublicHandler;
}

type Handler<Request, Response> = (request: Request, context: CallContext) => Promise<Response>;

/**
 * Binds handlers to a ts-proto service: `grpcService<AuthServiceServer>(AuthServiceService, { ... })`. An AppError that a handler throws is returned to the
 * client unchanged; any other error is logged and becomes `internal_error` 500.
 * @param access who may call the methods; default: as declared in identity/access.ts
 */
export function grpcService<Server>(
  definition: UnaryDefinition<Server>,
  handlers: UnaryHandlers<Server>,
  access?: Access,
): GrpcService {
  const methods = Object.keys(definition) as MethodName<Server>[];
  const path = methods[0] === undefined ? '' : definition[methods[0]].path;
  return {
    name: path.split('/')[1] ?? '',
    methods: (environment) =>
      methods.map((name) => {
        const method = definition[name];
        return bind(environment, method, handlers[name], access ?? accessOf(method.path));
      }),
  };
}

/** A service that serves the public routes of its owner. */
export const publicGrpcService = (publicHandler: PublicHandler): GrpcService => ({
  name: 'parley.public.v1.PublicService',
  methods: () => [],
  publicHandler,
});

function bind<Request, Response>(
  environment: ServingEnvironment,
  method: MethodDefinition<Request, Response>,
  handler: Handler<Request, Response>,
  access: Access,
): ServedMethod {
  const { path, requestDeserialize, responseSerialize } = method;
  const rpc = rpcName(path);
  return {
    path,
    serve: (message, incoming, callback) => {
      serveRequest(environment, rpc, access, incoming, async (context) =>
        responseSerialize(await handler(requestDeserialize(message), context)),
      )
        .then(callback)
        .catch((error: unknown) => environment.log.fatal({ err: error, rpc }));
    },
  };
}

/** /parley.auth.v1.AuthService/VerifyToken -> AuthService/VerifyToken */
export function rpcName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
