import type { Configuration, IDToken, TokenEndpointResponse, UserInfoResponse } from 'openid-client'
import type { Library } from './client.js'
import type { Profile } from './profile.js'

type Claims = Partial<IDToken & UserInfoResponse>
type Tokens = TokenEndpointResponse & { claims(): IDToken | undefined }

/** The profile in the identity token, completed by the provider's endpoint if the token says too little. */
export async function openidProfile(library: Library, config: Configuration, tokens: Tokens): Promise<Profile> {
  const claims: Claims | undefined = tokens.claims()
  if (claims?.sub === undefined) throw new Error('the provider sent no identity')
  const enough = claims.email !== undefined && claims.email_verified !== undefined
  if (enough || !config.serverMetadata().userinfo_endpoint) return profileOf(claims)
  const more: Claims = await library.fetchUserInfo(config, tokens.access_token, claims.sub)
  return profileOf({ ...claims, ...more })
}

function profileOf({ email, email_verified, preferred_username, nickname }: Claims): Profile {
  return {
    email: textOf(email),
    // Some providers write it as a text.
    verified: String(email_verified) === 'true',
    name: textOf(preferred_username) ?? textOf(nickname),
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
