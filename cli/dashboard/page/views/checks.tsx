// The checks of an app that are under way or have not passed: what was asked, and what was measured when.
import type { ExplainedCheck, ExplainedChecks } from '../../../explain/checks/capp.ts';
import { Panel, Since } from '../parts/words.tsx';

export function Checks({ checks }: { readonly checks: readonly ExplainedChecks[] }) {
  if (checks.length === 0) return null;
  return (
    <Panel title="What was checked">
      {checks.map(({ words, at, checks: those }) => (
        <article key={`${words}${at}`}>
          <p>
            {words}{' '}
            {at === null ? null : (
              <span class="dim">
                That was <Since time={at} /> ago.
              </span>
            )}
          </p>
          {those.map((check) => (
            <Check key={check.name} check={check} />
          ))}
        </article>
      ))}
    </Panel>
  );
}

function Check({ check: { name, verdict, asked, says, measurements } }: { readonly check: ExplainedCheck }) {
  return (
    <>
      <h3>
        {name} <span class="tag">{verdict === 'UnderWay' ? 'under way' : verdict}</span>
      </h3>
      {asked === '' ? null : <p class="dim">Asked: {asked}</p>}
      {says === '' ? null : <p>{says}</p>}
      {measurements.length === 0 ? null : (
        <table>
          <thead>
            <tr>
              <th scope="col">At</th>
              <th scope="col">Result</th>
              <th scope="col">Measured</th>
            </tr>
          </thead>
          <tbody>
            {measurements.map(({ at, is, says: measured }) => (
              <tr key={`${at}${measured}`}>
                <td>
                  <time dateTime={at}>{at}</time>
                </td>
                <td>{is}</td>
                <td>{measured}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
