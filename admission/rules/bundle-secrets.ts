// What is secret in a Bundle, where Secrets may go to sites only sealed: those of Bundles cannot be sealed,
// so the hub worker would hold the Bundle back. What was there before stands in the way of no other edit.
import { areHeldBack, secretIn, secretSource, unsealedWords } from '../../crds/bundle/secrets.ts';
import type { HubKnowledge } from '../known.ts';
import { listAt, textAt } from '../fields.ts';
import type { Problem } from '../rule.ts';
import type { AdmissionRequest } from '../request.ts';

interface Unsealed {
  readonly problem: Problem;
  readonly isNew: boolean;
}

/** The Secrets that an edit brings. One whose values it changes is among them. */
export function newSecrets(request: AdmissionRequest, known: HubKnowledge): Problem[] {
  return unsealedIn(request, known).flatMap(({ problem, isNew }) => (isNew ? [problem] : []));
}

/**
 * Warns that nothing of the Bundle is sent, where that is because of a Secret which it had before the edit.
 */
export function heldBackWarnings(request: AdmissionRequest, known: HubKnowledge): string[] {
  const first = unsealedIn(request, known).find(({ isNew }) => !isNew);
  return first === undefined
    ? []
    : [`Nothing of this Bundle is sent: ${first.problem.field} ${first.problem.message}`];
}

function unsealedIn(
  { object, oldObject, namespace }: AdmissionRequest,
  { config, configKey }: HubKnowledge,
): Unsealed[] {
  if (config === null || !areHeldBack(config, namespace)) return [];
  const find = (field: string, what: (one: unknown) => string | null): Unsealed[] => {
    const before = new Set(listAt(oldObject, 'spec', field).map((one) => JSON.stringify(one)));
    return listAt(object, 'spec', field).flatMap((one, index) => {
      const found = what(one);
      if (found === null) return [];
      const message = unsealedWords(found, namespace, configKey);
      const where = { field: `spec.${field}[${index}]`, reason: 'FieldValueForbidden' } as const;
      return [{ problem: { ...where, message, fromCache: true }, isNew: !before.has(JSON.stringify(one)) }];
    });
  };
  return [...find('manifests', secretIn), ...find('manifestsFrom', sourceIn)];
}

function sourceIn(source: unknown): string | null {
  const name = textAt(source, 'secret');
  return name === '' ? null : secretSource(name);
}
