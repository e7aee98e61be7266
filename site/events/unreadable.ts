// What of a PingSource nobody can read. A hub and the webhook of a site refuse it; where neither has been
// asked, the status says it: Knative may say nothing, or its own words, which the hub does not see. Pure.
import type { EventSource } from '../../crds/capp/spec/event-sources.ts';
import { isFields } from '../../kube/fields.ts';
import { isSchedule } from '../../crds/knative/schedule.ts';

/** A sentence with field and remedy; null for a source that can be read. */
export function unreadable({ name, pingSourceConfiguration: ping }: EventSource): string | null {
  if (ping === undefined) return null;
  const said = (field: string, what: string): string =>
    `pingSourceConfiguration.${field} of the source ${name} in spec.eventSourcesSpec ${what}.`;
  // Knative reads an empty one as every minute.
  if (ping.schedule !== '' && !isSchedule(ping.schedule))
    return said(
      'schedule',
      'is no schedule that cron can read: use five fields such as "*/5 * * * *", six with seconds, or @hourly, and a time zone before it as CRON_TZ=Asia/Jerusalem',
    );
  return ping.data === undefined || ping.data === '' || isJsonObject(ping.data)
    ? null
    : said('data', 'is no JSON object: write one such as {"key": "value"}');
}

function isJsonObject(text: string): boolean {
  try {
    return isFields(JSON.parse(text));
  } catch {
    return false;
  }
}
