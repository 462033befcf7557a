import type { BuiltPage } from '../pages/serving/built.js'
import type { CallerInfo, Metadata, TypeInfo } from './builder/metadata.js'

/** The page at the root: the plugins and types of this server, and a first request to click. It needs no script. */
export function welcomePage(
  meta: Metadata,
  { can }: CallerInfo,
  { styles, icon }: Pick<BuiltPage, 'styles' | 'icon'>,
): string {
  const { app, plugins } = meta
  const types = meta.types.filter(({ path }) => path !== undefined)
  const first =
    types.find(({ uid, kind }) => kind === 'collectionType' && can[uid]?.includes('find')) ??
    types.find(({ uid }) => can[uid]?.includes('find'))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escaped(app.name)}</title>
<link rel="icon" href="${escaped(icon)}" type="image/svg+xml">
<link rel="stylesheet" href="${escaped(styles)}">
</head>
<body class="welcome">
<main>
<h1>${escaped(app.name)}</h1>
<p class="lead">A content API, served by stele ${escaped(app.version)} (${escaped(app.environment)}).</p>
${first ? firstRequest(first) : closed}
<p class="actions"><a class="button primary" href="/explorer">Open the explorer</a></p>
<h2>Content types</h2>
${types.length > 0 ? table(types, can) : '<p>There is none yet: each file in <code>content-types/</code> describes one.</p>'}
<h2>Plugins</h2>
<ul class="plugins">
${plugins.map(({ name, describe }) => `<li><code>${escaped(name)}</code>${describe === undefined ? '' : ` ${escaped(describe)}`}</li>`).join('\n')}
</ul>
</main>
</body>
</html>
`
}

const firstRequest = ({ path = '', kind }: TypeInfo): string => {
  const url = escaped(kind === 'collectionType' ? `${path}?pagination[pageSize]=3` : path)
  return `<p>A first request, to click:</p>
<p class="actions"><a class="button request" href="${url}"><b>GET</b> ${url}</a></p>`
}

const closed =
  '<p>Without an account nothing can be read here yet: <code>config/permissions</code>, or <code>rest.public</code> in <code>config/api</code>, opens types.</p>'

const table = (types: readonly TypeInfo[], can: CallerInfo['can']): string => `<table>
<thead><tr><th scope="col">Type</th><th scope="col">Endpoints</th><th scope="col">Without signing in</th></tr></thead>
<tbody>
${types.map(type => row(type, can)).join('\n')}
</tbody>
</table>`

function row({ uid, name, path = '', kind, actions }: TypeInfo, can: CallerInfo['can']): string {
  const open = actions.filter(action => can[uid]?.includes(action))
  const places = kind === 'singleType' ? [path] : [path, `${path}/:id`]
  return `<tr><th scope="row"><a href="/explorer#${escaped(uid)}">${escaped(name)}</a></th><td>${places.map(place => `<code>${escaped(place)}</code>`).join(' ')}</td><td>${open.length === 0 ? '<span class="quiet">nothing</span>' : open.map(escaped).join(', ')}</td></tr>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
