// A rollback by annotation: the spec of an earlier CappRevision becomes part of the user's own write, so that
// it is authorised and checked as any other edit.
import { isDeepStrictEqual } from 'node:util';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { parseRollback, ROLLBACK_SPELLING } from '../../../crds/capp/rollback.ts';
import { ROLLBACK } from '../../../crds/labels.ts';
import type { Common, NamedRevision } from '../../known.ts';
import { at, listAt, textAt } from '../../fields.ts';
import { annotate, pointer } from '../../patch.ts';
import type { Problem, AdmissionRule, RuleResult } from '../../rule.ts';
import { hasChanged, type AdmissionRequest } from '../../request.ts';
import { setOfObject } from '../../set-of.ts';

/** Its patch comes last: it replaces the spec that the others may have completed. */
export const rollback: AdmissionRule<Common> = (request, { earlier }) => {
  const { object, operation } = request;
  const value = textAt(object, 'metadata', 'annotations', ROLLBACK);
  if (value === '' || !hasChanged(request, 'metadata', 'annotations', ROLLBACK)) return {};
  // A new Capp has no history, such as one that is restored from a backup.
  if (operation === 'CREATE') return { patches: annotate(object, ROLLBACK, '') };
  if (setOfObject(request.namespace, object) !== null) return problem(ofASet(request));
  const asked = parseRollback(value);
  if (asked === null) return problem(`"${value}" is not of the form ${ROLLBACK_SPELLING}`);
  return earlier === undefined
    ? problem(
        'the webhook has not read the revision, as in the middle of an upgrade of Cappstan: ask again with another word behind #',
      )
    : withSpecOf(request, asked.to, earlier);
};

/**
 * The webhook would write the spec in nobody's name, so the set could not tell that a person has changed it,
 * and would take the Capp for a proof of its own revision.
 */
function ofASet({ object, namespace }: AdmissionRequest): string {
  const owners = listAt(object, 'metadata', 'ownerReferences');
  const set = textAt(
    owners.find((owner) => textAt(owner, 'kind') === CAPP_SET.kind),
    'name',
  );
  return `the Capp is one of CappSet ${set}, and goes back with it: kubectl capp rollout undo ${set} -n ${namespace}`;
}

function withSpecOf(request: AdmissionRequest, to: number, earlier: NamedRevision): RuleResult {
  const { object } = request;
  if (earlier.is === 'unread')
    return problem(`revision ${to} could not be read: try again with the same annotation`);
  if (earlier.is === 'missing')
    return problem(
      `the Capp has no revision ${to}. Its revisions: kubectl get capprevisions -n ${request.namespace} -l rcs.dana.io/cappName=${request.name}`,
      'FieldValueNotFound',
    );
  if (hasChanged(request, 'spec'))
    // Another webhook may have asked us again after this rule has put the spec there.
    return earlier.isHeld
      ? {}
      : problem(`the same write changes spec to something else than revision ${to}: do one after the other`);
  if (isDeepStrictEqual(at(object, 'spec'), earlier.spec))
    return problem(
      `spec is that of revision ${to} already: take the annotation out, or name another revision`,
    );
  return { patches: [{ op: 'add', path: pointer('spec'), value: earlier.spec }] };
}

function problem(message: string, reason: Problem['reason'] = 'FieldValueInvalid'): RuleResult {
  return {
    problems: [{ field: `metadata.annotations[${ROLLBACK}]`, reason, message, fromCache: false }],
  };
}
