// OCM's own kinds, from the manifests that come with its module.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { applyDefinitions, isDefinition, type Definition } from '../kubernetes/manifests.ts';
import { moduleFiles } from '../programs/tools.ts';

const OCM_MODULE = 'open-cluster-management.io/ocm';

/** Defines OCM's kinds for the hub or for a site, and returns when they are served. Safe to repeat. */
export async function applyOcmCrds(kube: Kube, role: 'hub' | 'site'): Promise<void> {
  const folder = role === 'hub' ? ['cluster-manager', 'hub', 'crds'] : ['klusterlet', 'managed'];
  const path = join(moduleFiles(OCM_MODULE), ...folder);
  const files = (await readdir(path)).filter((file) => file.endsWith('.crd.yaml'));
  const texts = await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')));
  const objects = texts.map((text) => parse(text.replaceAll(/\{\{.*?\}\}/g, '""')) as KubeObject);
  await applyDefinitions(kube, objects.filter(isDefinition).map(withoutConversion));
}

/** Two files are templates that point to a conversion webhook. The controllers of this version write what is stored, and need none. */
function withoutConversion(definition: Definition): Definition {
  const { conversion: _, ...spec } = definition.spec;
  return { ...definition, spec };
}
