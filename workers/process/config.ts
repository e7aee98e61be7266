// Reads a process's settings from its environment, and says in one sentence which variable is wrong and what
// would help.
import { z } from 'zod';
import { RCS_CONFIG_KEY } from '../../crds/hub/rcs-config.ts';

/** `host:port`. */
export const ADDRESS = z.string().regex(/^[^\s:]+:\d{1,5}$/);

/** Absolute. */
export const PATH = z.string().startsWith('/');

/** Settings that every process has. KUBECONFIG is read by the client itself, as kubectl reads it. */
export const COMMON = {
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info').describe('how much to log'),
  HEALTH_ADDRESS: ADDRESS.optional().describe('host:port on which GET /healthz answers'),
  METRICS_ADDRESS: ADDRESS.optional().describe(
    'host:port where Prometheus reads metrics; without it there are none',
  ),
} as const;

/** The name of an object in Kubernetes. */
export const NAME = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/);

/** The key of the RCSConfig that is read. */
export const CONFIG_PLACE = {
  RCS_CONFIG_NAMESPACE: NAME.default(RCS_CONFIG_KEY.namespace).describe('the namespace of the RCSConfig'),
  RCS_CONFIG_NAME: NAME.default(RCS_CONFIG_KEY.name).describe('the name of the RCSConfig'),
} as const;

/** Where agents come through the gateway. */
export const GATEWAY_PLACE = {
  GATEWAY_CERTIFICATE: z
    .string()
    .regex(/^[a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9.]*$/)
    .optional()
    .describe(
      'namespace/name of the Secret whose ca.crt agents trust at the gateway; without it there is none',
    ),
} as const;

/** The key of the Secret with the gateway's certificate; null where there is no gateway. */
export function gatewayKeyOf({ GATEWAY_CERTIFICATE: text }: z.infer<z.ZodObject<typeof GATEWAY_PLACE>>): {
  readonly namespace: string;
  readonly name: string;
} | null {
  const [namespace = '', name = ''] = text?.split('/') ?? [];
  return text === undefined ? null : { namespace, name };
}

/** Beyond those of `crds/reserved-namespaces.ts`. */
export const RESERVED = {
  RESERVED_NAMESPACES: z
    .string()
    .regex(/^[a-z0-9][-a-z0-9]*\*?(,[a-z0-9][-a-z0-9]*\*?)*$/)
    .optional()
    .describe(
      'namespaces in which no Capp may run, separated by commas; a * at the end stands for any ending',
    ),
} as const;

export function reservedOf(config: z.infer<z.ZodObject<typeof RESERVED>>): readonly string[] {
  return config.RESERVED_NAMESPACES?.split(',') ?? [];
}

export function configKeyOf(config: z.infer<z.ZodObject<typeof CONFIG_PLACE>>): {
  readonly namespace: string;
  readonly name: string;
} {
  return { namespace: config.RCS_CONFIG_NAMESPACE, name: config.RCS_CONFIG_NAME };
}

/**
 * Takes a shape of zod schemas by variable name, each with a description of what belongs there. An empty
 * variable counts as absent; then `DEFAULT_<name>` counts, if it is set: OCM empties the variables of an
 * add-on that the cluster's AddOnDeploymentConfig does not name. Throws an Error with one line for each
 * variable that is wrong; the value is not repeated, for it may be a secret.
 */
export function readConfig<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: NodeJS.ProcessEnv = process.env,
): z.infer<z.ZodObject<Shape>> {
  const schema = z.object(shape);
  const given = Object.fromEntries(
    Object.keys(shape).flatMap((name) => {
      const value = [env[name], env[`DEFAULT_${name}`]].find((one) => one !== undefined && one !== '');
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
  const lines = names.map((name) => {
    const problem = name in given ? 'has an invalid value' : 'is not set';
    return `${name} ${problem}: set it to ${remedy(shape[name])}`;
  });
  throw new Error(lines.join('\n'));
}

function remedy(schema: z.core.$ZodType | undefined): string {
  const description = schema instanceof z.ZodType ? schema.description : undefined;
  return description ?? 'a value';
}
