// A Drain is named as the site that it empties.
import type { HubKnowledge } from '../known.ts';
import { at } from '../fields.ts';
import { listed, type Problem, type Rule } from '../rule.ts';
import { hasChanged, type Request } from '../request.ts';

export const drain: Rule = (request, known) => ({
  problems: request.operation === 'CREATE' ? named(request, known) : [],
  warnings: hasChanged(request, 'spec') ? warningsFor(request) : [],
});

function named({ name }: Request, known: HubKnowledge): Problem[] {
  const sites = known.sites();
  const found = sites.find((site) => site.name === name);
  if (found?.isHub === false) return [];
  const names = listed(sites.filter(({ isHub }) => !isHub).map((site) => site.name));
  const what = found === undefined ? 'is no site' : 'is the hub itself, which runs no Capps';
  const message = `"${name}" ${what}: name the Drain as the site that it empties. Sites: ${names}`;
  return [{ field: 'metadata.name', reason: 'FieldValueNotFound', message, fromCache: true }];
}

function warningsFor({ object }: Request): string[] {
  const [width, perTarget] = ['width', 'perTarget'].map((name) => at(object, 'spec', name));
  if (typeof width !== 'number' || typeof perTarget !== 'number' || perTarget <= width) return [];
  return [
    `spec.perTarget ${perTarget} has no effect above spec.width ${width}: lower it, or raise spec.width.`,
  ];
}
