// OCM's CRDs, from the manifests of its Go module.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { applyDefinitions, isDefinition, type DefinitionObject } from '../kubernetes/manifests.ts';
import { moduleFiles } from '../programs/tools.ts';

const OCM_MODULE = 'open-cluster-management.io/ocm';

/** The CRDs of the hub or of a site. */
export async function ocmDefinitions(role: 'hub' | 'site'): Promise<readonly DefinitionObject[]> {
  const folder = role === 'hub' ? ['cluster-manager', 'hub', 'crds'] : ['klusterlet', 'managed'];
  const path = join(moduleFiles(OCM_MODULE), ...folder);
  const files = (await readdir(path)).filter((file) => file.endsWith('.crd.yaml'));
  const texts = await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')));
  const objects = texts.map((text) => parse(text.replaceAll(/\{\{.*?\}\}/g, '""')) as KubeObject);
  return objects.filter(isDefinition).map(withoutConversion);
}

/** Applies them, and waits until they are served. Safe to repeat. */
export async function applyOcmCrds(kube: Kube, role: 'hub' | 'site'): Promise<void> {
  await applyDefinitions(kube, await ocmDefinitions(role));
}

/**
 * Two CRDs name a conversion webhook that does not run here. The controllers of this version use the stored
 * version, and need no conversion.
 */
function withoutConversion(definition: DefinitionObject): DefinitionObject {
  const { conversion: _, ...spec } = definition.spec;
  return { ...definition, spec };
}
