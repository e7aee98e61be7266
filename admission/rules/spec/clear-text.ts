// Warns of passwords that a Capp has sent where others can read them, or to whoever answers for a host.
import { at, listAt, textAt } from '../../fields.ts';
import type { Common } from '../../known.ts';
import { hasChanged } from '../../request.ts';
import type { AdmissionRule } from '../../rule.ts';

const LOGS = ['spec', 'logSpec'] as const;
const SOURCES = ['spec', 'eventSourcesSpec', 'sources'] as const;

export const clearText: AdmissionRule<Common> = (request) => ({
  warnings: [
    ...(hasChanged(request, ...LOGS) ? ofLogs(request.object) : []),
    ...(hasChanged(request, ...SOURCES) ? ofSources(request.object) : []),
  ],
});

function ofLogs(capp: unknown): string[] {
  if (textAt(capp, ...LOGS, 'type') === '') return [];
  if (/^http:/i.test(textAt(capp, ...LOGS, 'host')))
    return ['spec.logSpec.host: the password is sent in clear text: begin it with https, and set sslVerify.'];
  return at(capp, ...LOGS, 'sslVerify') === true
    ? []
    : ['spec.logSpec.sslVerify: the password is sent to whoever answers for the host: set it to true.'];
}

function ofSources(capp: unknown): string[] {
  return listAt(capp, ...SOURCES).flatMap((source, index) => {
    const kafka = at(source, 'kafkaSourceConfiguration');
    if (kafka === undefined || at(kafka, 'tls') === true) return [];
    const field = `spec.eventSourcesSpec.sources[${index}].kafkaSourceConfiguration.tls`;
    return [`${field}: the password is sent in clear text: set it to true where the brokers speak TLS.`];
  });
}
