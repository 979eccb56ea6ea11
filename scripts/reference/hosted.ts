/**
 * Files around the pages, for hosts that only have files: a start page that leads to /docs/, the addresses of problems, and
 * the document. A gateway responds to these addresses on its own.
 */
import { type Bundle, openEnum } from '../../contract/src/model.ts';
import { problemName } from './errors.ts';

/** The files by their paths from the root of the host. */
export function hostedFiles(bundle: Bundle, index: string): Record<string, string> {
  const { known = [] } = openEnum(bundle.components.schemas['Problem']?.properties?.['type'] ?? {}) ?? {};
  const problems = known.map(String).map((type): [string, string] => {
    const name = problemName(type);
    // A folder, since not every server of files tries `.html`.
    return [`${new URL(type).pathname.slice(1)}/index.html`, redirection(`/docs/errors.html#${name}`)];
  });
  return {
    'index.html': redirection('/docs/'),
    ...Object.fromEntries(problems),
    'openapi.json': JSON.stringify(bundle, null, 2),
    'llms.txt': index,
  };
}

/** Leads to another page. */
function redirection(address: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>The reference</title>
<meta http-equiv="refresh" content="0; url=${address}">
<p><a href="${address}">The reference</a></p>
</html>
`;
}
