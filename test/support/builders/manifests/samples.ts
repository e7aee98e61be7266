// The manifests of deploy/samples, as objects.
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const SampleObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().exactOptional() }),
});
export type SampleObject = z.infer<typeof SampleObject>;

export function sample(file: string): readonly SampleObject[] {
  const text = readFileSync(new URL(`../../../../deploy/samples/${file}`, import.meta.url), 'utf8');
  return parseAllDocuments(text).map((document) => SampleObject.parse(document.toJS()));
}

export function sampleCapp(file: string): SampleObject {
  const capp = sample(file).find((object) => object.kind === 'Capp');
  if (capp === undefined) throw new Error(`${file} has no Capp`);
  return capp;
}
