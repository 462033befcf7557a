import type { Configuration, ServerMetadata, TokenEndpointResponse } from 'openid-client'
import type { Library } from './client.js'
import type { Profile } from './profile.js'

/** GitHub, or a GitHub server of one's own, which has its API elsewhere. */
export function githubServer(issuer: URL): ServerMetadata {
  const at = (path: string) => new URL(path, issuer).href
  return {
    issuer: issuer.origin,
    authorization_endpoint: at('/login/oauth/authorize'),
    token_endpoint: at('/login/oauth/access_token'),
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    userinfo_endpoint: issuer.hostname === 'github.com' ? 'https://api.github.com/user' : at('/api/v3/user'),
  }
}

/** The main address of an account, and whether GitHub has verified it. */
export async function githubProfile(
  library: Library,
  config: Configuration,
  { access_token }: TokenEndpointResponse,
): Promise<Profile> {
  const ask = async (path: string): Promise<unknown> => {
    const address = new URL(config.serverMetadata().userinfo_endpoint + path)
    const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'stele' })
    const answer = await library.fetchProtectedResource(config, access_token, address, 'GET', undefined, headers)
    if (!answer.ok) throw new Error(`${address.pathname} answered ${answer.status}`)
    return answer.json()
  }
  const [user, emails] = await Promise.all([ask(''), ask('/emails')])
  const { login } = user as { login?: string }
  const main = (emails as { email: string; primary: boolean; verified: boolean }[]).find(({ primary }) => primary)
  return { email: main?.email, verified: main?.verified === true, name: login }
}
