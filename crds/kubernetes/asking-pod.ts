// The fields of a pod spec that say what its containers ask for. Users write anything there.
import { z } from 'zod';
import { PATTERN } from './quantity.ts';

const QUANTITY = new RegExp(PATTERN);
const Quantity = z
  .union([z.number().transform(String), z.string()])
  .refine((text) => QUANTITY.test(text), 'is no quantity');
const Amounts = z.looseObject({ cpu: Quantity.exactOptional(), memory: Quantity.exactOptional() });

const AskingContainer = z.object({
  name: z.string(),
  image: z.string().exactOptional(),
  restartPolicy: z.string().exactOptional(),
  resources: z.object({ requests: Amounts.exactOptional(), limits: Amounts.exactOptional() }).exactOptional(),
});
export type AskingContainer = z.infer<typeof AskingContainer>;

const AskingPod = z.object({
  containers: z.array(AskingContainer),
  initContainers: z.array(AskingContainer).default([]),
});
export type AskingPod = z.infer<typeof AskingPod>;

/** Throws an Error that names the first field that cannot be read. */
export function askingPod(spec: unknown): AskingPod {
  const read = AskingPod.safeParse(spec);
  if (read.success) return read.data;
  throw new Error(
    `spec.configurationSpec.template.spec.${read.error.issues[0]?.path.join('.') ?? ''} cannot be read`,
  );
}
