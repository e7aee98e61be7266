// Reads a process's settings from its environment, and says in one sentence which variable is wrong and what would help.
import { z } from 'zod';

/** `host:port`. */
export const ADDRESS = z.string().regex(/^[^\s:]+:\d{1,5}$/);

/** What every process understands. KUBECONFIG is read by the client itself, as kubectl reads it. */
export const COMMON = {
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info').describe('how much to log'),
  HEALTH_ADDRESS: ADDRESS.optional().describe('host:port on which GET /healthz answers'),
} as const;

/**
 * Takes a shape of zod schemas by variable name, each with a description of what belongs there. An empty variable counts as absent.
 * Throws an Error with one line for each variable that is wrong; the value is not repeated, for it may be a secret.
 */
export function readConfig<Shape extends z.ZodRawShape>(shape: Shape, env: NodeJS.ProcessEnv = process.env): z.infer<z.ZodObject<Shape>> {
  const schema = z.object(shape);
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
  const lines = names.map((name) => {
    const problem = name in given ? 'has a value that cannot be' : 'is not set';
    return `${name} ${problem}: set it to ${remedy(shape[name])}`;
  });
  throw new Error(lines.join('\n'));
}

function remedy(schema: z.core.$ZodType | undefined): string {
  const description = schema instanceof z.ZodType ? schema.description : undefined;
  return description ?? 'a value';
}
