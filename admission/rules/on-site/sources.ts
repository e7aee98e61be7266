// What sends records of Kafka to a Capp: as many consumers as the site allows, and the group that it began
// with.
import { isDeepStrictEqual } from 'node:util';
import { at, byName, listAt, textAt } from '../../fields.ts';
import type { SiteKnown } from '../../known.ts';
import type { Problem, AdmissionRule } from '../../rule.ts';

const SOURCES = ['spec', 'eventSourcesSpec', 'sources'] as const;

/** Sources as they were are not looked at. */
export const kafkaSources: AdmissionRule<SiteKnown> = ({ object, oldObject }, { config }) => {
  if (isDeepStrictEqual(at(object, ...SOURCES), at(oldObject, ...SOURCES))) return {};
  const former = byName(listAt(oldObject, ...SOURCES));
  return {
    problems: listAt(object, ...SOURCES).flatMap((source, index) => {
      const before = former.get(textAt(source, 'name'));
      if (isDeepStrictEqual(source, before)) return [];
      const path = `${SOURCES.join('.')}[${index}]`;
      return [
        ...ofKafka(source, before, {
          path: `${path}.kafkaSourceConfiguration`,
          most: config.maxKafkaConsumers,
        }),
      ];
    }),
  };
};

interface Kafka {
  readonly path: string;
  readonly most: number;
}

function ofKafka(source: unknown, before: unknown, { path, most }: Kafka): Problem[] {
  const kafka = at(source, 'kafkaSourceConfiguration');
  const former = at(before, 'kafkaSourceConfiguration');
  const consumers = at(kafka, 'consumers');
  const problems: Problem[] = [];
  if (typeof consumers === 'number' && consumers > most && consumers !== at(former, 'consumers'))
    problems.push({
      ...problem(
        `${path}.consumers`,
        `${consumers} is above ${most}, the most that the site's CappConfig allows (maxKafkaConsumers): lower it, or ask whoever runs the site`,
      ),
      fromCache: true,
    });
  const isAnother = textAt(kafka, 'consumerGroup') !== textAt(former, 'consumerGroup');
  if (kafka !== undefined && former !== undefined && isAnother)
    problems.push(
      problem(
        `${path}.consumerGroup`,
        'the group of a source that is there cannot be changed: give a source with another group another name',
      ),
    );
  return problems;
}

function problem(field: string, message: string): Problem {
  return { field, reason: 'FieldValueInvalid', message, fromCache: false };
}
