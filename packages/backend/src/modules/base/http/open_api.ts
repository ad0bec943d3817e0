import {
  allRoutes,
  envelopeOf,
  failureSchema,
  isOpenAiPath,
  openAiFailureSchema,
  type Route,
} from '@netaclaw/contracts';
import type { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';

let made: string | null = null;

/** The OpenAPI document of every route, from the contracts; made at the first asking. */
export function openApiText(): string {
  made ??= JSON.stringify(openApiDocument());
  return made;
}

export function openApiDocument(): ReturnType<typeof createDocument> {
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'NetaClaw',
      version: '0.1.0',
      description:
        'An agent platform whose tools are declared in code, governed in a table and resolved in one place.',
    },
    paths: pathsOf(allRoutes),
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  });
}

function pathsOf(routes: typeof allRoutes): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const { tag, route } of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(tag, route) };
  }
  return paths;
}

function operationOf(tag: string, route: Route): ZodOpenApiOperationObject {
  const { params, query } = route;
  return {
    tags: [tag],
    summary: route.summary,
    description: accessWords(route),
    ...(route.access === 'open' ? {} : { security: [{ bearer: [] }] }),
    ...(params || query
      ? {
          requestParams: {
            ...(params ? { path: objectOf(params) } : {}),
            ...(query ? { query: objectOf(query) } : {}),
          },
        }
      : {}),
    ...requestBodyOf(route),
    responses: {
      '200': { description: 'Done', content: contentOf(route) },
      default: {
        description: 'Refused or failed; `code` and `message` say why',
        content: { 'application/json': { schema: failureOf(route) } },
      },
    },
  };
}

function requestBodyOf({ body, multipart }: Route): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  const [type, schema] = multipart
    ? ['multipart/form-data', multipart]
    : ['application/json', body];
  if (!schema) return {};
  const required = !schema.safeParse({}).success;
  return { requestBody: { ...(required ? { required } : {}), content: { [type]: { schema } } } };
}

const failureOf = ({ path }: Route): z.ZodType =>
  isOpenAiPath(path) ? openAiFailureSchema : failureSchema;

function accessWords({ access }: Route): string {
  if (access === 'open') return 'Open to anyone.';
  const roles = `For the roles ${access.roles.join(', ')}`;
  return access.keys ? `${roles}, and for API keys.` : `${roles}.`;
}

function contentOf({ answer, form, media, chunk }: Route): Record<string, { schema: z.ZodType }> {
  if (media) return { [media]: { schema: chunk ?? answer } };
  const events: Record<string, { schema: z.ZodType }> = chunk
    ? { 'text/event-stream': { schema: chunk } }
    : {};
  switch (form) {
    case 'raw':
      return { 'application/json': { schema: answer } };
    case 'stream':
      return { 'application/json': { schema: envelopeOf(answer) }, ...events };
    case 'raw-stream':
      return { 'application/json': { schema: answer }, ...events };
    default:
      return { 'application/json': { schema: envelopeOf(answer) } };
  }
}

type ParameterObject = z.ZodObject;

/** Parameters are objects in every route; a union or a list would be a mistake in the contracts. */
function objectOf(schema: z.ZodType): ParameterObject {
  if ('shape' in schema) return schema as ParameterObject;
  throw new Error('parameters of a route must be an object');
}
