import type { ConfigTree, Loose } from '../../types.js'

const setting = (config: ConfigTree, path: string, fallback?: Loose): Loose =>
  typeof config.get === 'function' ? config.get(path, fallback) : fallback

/** The address under which the server is reached, from the settings. */
export function getAbsoluteServerUrl(config: ConfigTree, isAdmin = false): string {
  const url = setting(config, isAdmin ? 'admin.url' : 'server.url', '') || (isAdmin ? '/admin' : '')
  if (/^https?:\/\//.test(url)) return withoutSlash(url)
  const base = hostUrl(config)
  return withoutSlash(url === '' ? base : `${isAdmin ? getAbsoluteServerUrl(config) : base}/${url.replace(/^\//, '')}`)
}

export const getAbsoluteAdminUrl = (config: ConfigTree): string => getAbsoluteServerUrl(config, true)

function hostUrl(config: ConfigTree): string {
  const host = setting(config, 'server.host', 'localhost')
  const isHere = setting(config, 'environment') === 'development' && ['127.0.0.1', '0.0.0.0'].includes(host)
  return `http://${isHere ? 'localhost' : host}:${setting(config, 'server.port', 1337)}`
}

function withoutSlash(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}

/** The addresses of server and admin panel; `isAdminOnSameServer` where they share one. */
export function getConfigUrls(config: ConfigTree, forAdminBuild = false) {
  const serverUrl = setting(config, 'server.url', '')
  const adminUrl = setting(config, 'admin.url', '') || '/admin'
  const server = getAbsoluteServerUrl(config)
  const isAdminOnSameServer = !/^https?:\/\//.test(adminUrl) || new URL(adminUrl).origin === new URL(server).origin
  const adminPath = isAdminOnSameServer ? adminUrl.replace(serverUrl, '').replace(/^https?:\/\/[^/]+/, '') : adminUrl
  return {
    serverUrl: serverUrl === '' && forAdminBuild && !isAdminOnSameServer ? server : withoutSlash(serverUrl),
    adminUrl: withoutSlash(adminUrl),
    adminPath: adminPath === '' ? '/' : adminPath,
    isAdminOnSameServer,
  }
}
