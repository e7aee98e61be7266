// What sends events to a Capp by a schedule: one that cron can read, in a time zone that there is, with data
// that is JSON.
import { isDeepStrictEqual } from 'node:util';
import { isFields } from '../../../kube/fields.ts';
import { at, byName, listAt, textAt } from '../../fields.ts';
import type { Common } from '../../known.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';
import { isSchedule } from '../../../crds/knative/schedule.ts';

const SOURCES = ['spec', 'eventSourcesSpec', 'sources'] as const;

/** Sources as they were are not looked at. */
export const pingSources: AdmissionRule<Common> = ({ object, oldObject }) => {
  if (isDeepStrictEqual(at(object, ...SOURCES), at(oldObject, ...SOURCES))) return {};
  const former = byName(listAt(oldObject, ...SOURCES));
  return {
    problems: listAt(object, ...SOURCES).flatMap((source, index) => {
      const before = former.get(textAt(source, 'name'));
      if (isDeepStrictEqual(source, before)) return [];
      const path = `${SOURCES.join('.')}[${index}].pingSourceConfiguration`;
      return ofPing(at(source, 'pingSourceConfiguration'), path);
    }),
  };
};

function ofPing(ping: unknown, path: string): Problem[] {
  const [schedule, data] = [textAt(ping, 'schedule'), textAt(ping, 'data')];
  const problems: Problem[] = [];
  if (schedule !== '' && !isSchedule(schedule))
    problems.push(
      problem(
        `${path}.schedule`,
        `"${schedule}" is no schedule that cron can read: use five fields such as "*/5 * * * *", six with seconds, or @hourly; Sunday is 0; a time zone before it as CRON_TZ=Asia/Jerusalem`,
      ),
    );
  if (data !== '' && !isJsonObject(data))
    problems.push(problem(`${path}.data`, 'it must be a JSON object, such as {"key": "value"}'));
  return problems;
}

function isJsonObject(text: string): boolean {
  try {
    return isFields(JSON.parse(text));
  } catch {
    return false;
  }
}

function problem(field: string, message: string): Problem {
  return { field, reason: 'FieldValueInvalid', message, fromCache: false };
}
