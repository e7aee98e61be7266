// The template of a CappSet and its overrides: only known placeholders, no requests to the hub, and a Capp
// with each of the overrides.
import { z } from 'zod';
import { CappSpec } from '../../../crds/capp/capp.ts';
import { PRIORITY } from '../../../crds/labels.ts';
import type { CappSetSpec } from '../../../crds/set/cappset.ts';
import { isKnownPlaceholder, mergePatch, placeholdersIn } from '../../../crds/set/render.ts';
import { isFields } from '../../../kube/fields.ts';
import { at, textAt } from '../../fields.ts';
import { priorityFault } from '../metadata/priority.ts';
import type { Problem } from '../../rule.ts';

const RESERVED = 'rcs.dana.io/';

export function templateProblems({ template, overrides = [] }: CappSetSpec): Problem[] {
  return [
    ...unknownPlaceholders(template, 'spec.template'),
    ...reservedMarks(template, 'spec.template'),
    ...priorities(template, 'spec.template'),
    ...overrides.flatMap(({ patch }, index) => {
      const field = `spec.overrides[${index}].patch`;
      return [
        ...unknownPlaceholders(patch, field),
        ...reservedMarks(patch, field),
        ...priorities(patch, field),
        ...beyondTemplate(patch, field),
        ...unreadable(mergePatch(template, patch), field),
      ];
    }),
  ];
}

function problem(field: string, message: string): Problem {
  return { field, reason: 'FieldValueInvalid', message, fromCache: false };
}

function unknownPlaceholders(value: unknown, field: string): Problem[] {
  return placeholdersIn(value)
    .filter((one) => !isKnownPlaceholder(one))
    .map(({ path, name }) => {
      const what =
        name === '{{'
          ? 'begins a placeholder and does not end it'
          : `has the unknown placeholder {{${name}}}`;
      return problem(`${field}.${path}`, `${what}: use {{site}}, or {{label:<key>}} for a label of the site`);
    });
}

/** They ask something of the hub, for one Capp and by a person who is recorded. */
function reservedMarks(value: unknown, field: string): Problem[] {
  return (['labels', 'annotations'] as const).flatMap((kind) => {
    const marks = at(value, 'metadata', kind);
    return Object.keys(isFields(marks) ? marks : {})
      .filter((key) => key.startsWith(RESERVED) && key !== PRIORITY)
      .map((key) =>
        problem(
          `${field}.metadata.${kind}[${key}]`,
          `names that begin with ${RESERVED} are Cappstan's own: leave it out, and annotate the Capp that it is meant for`,
        ),
      );
  });
}

/** One with a placeholder is looked at on each site, when its Capp is written. */
function priorities(value: unknown, field: string): Problem[] {
  const text = textAt(value, 'metadata', 'annotations', PRIORITY);
  const message = text.includes('{{') ? null : priorityFault(text);
  return message === null ? [] : [problem(`${field}.metadata.annotations[${PRIORITY}]`, message)];
}

function beyondTemplate(patch: unknown, field: string): Problem[] {
  const others = Object.keys(isFields(patch) ? patch : {}).filter(
    (key) => key !== 'metadata' && key !== 'spec',
  );
  const unknown = others.map((key) =>
    problem(
      `${field}.${key}`,
      'a patch has metadata and spec alone, as the template has: take it out, or put it below one of them',
    ),
  );
  const site = at(patch, 'spec', 'site');
  return site === undefined || site === null
    ? unknown
    : [
        ...unknown,
        problem(`${field}.spec.site`, 'must be left out: the set pins each of its Capps to a site'),
      ];
}

const Merged = z.object({
  metadata: z
    .object({
      labels: z.record(z.string(), z.string()).optional(),
      annotations: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  spec: CappSpec,
});

function unreadable(merged: unknown, field: string): Problem[] {
  const parsed = Merged.safeParse(merged);
  if (parsed.success) return [];
  const [issue] = parsed.error.issues;
  const path = issue?.path.map(String).join('.') ?? '';
  return [
    problem(
      `${field}.${path}`,
      `the patched template is no Capp (${issue?.message ?? 'it cannot be read'}): correct the patch`,
    ),
  ];
}
