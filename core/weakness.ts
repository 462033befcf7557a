import type { AskedSecret } from './secret.js'

/** What is wrong with a secret, behind its name; undefined where nothing is. */
export function weaknessOf(secret: string): string | undefined {
  const plain = secret.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (secret === '') return 'is empty'
  if (examples.has(plain)) return 'is one that stands in examples'
  if (new Set(secret).size < fewest) return 'repeats a few characters'
  return secret.length < shortest ? `has ${secret.length} characters only` : undefined
}

/** The same of a secret that somebody set; one that was made is a good one. */
export function weaknessOfAsked({
  configured,
  variable,
}: Pick<AskedSecret, 'configured' | 'variable'>): string | undefined {
  const secret = configured || process.env[variable]
  return secret ? weaknessOf(secret) : undefined
}

/** Sixteen random bytes, which older projects were given, are 24 characters. */
const shortest = 16
const fewest = 6

const examples = new Set(
  `tobemodified tobemodified1 tobemodified2 tobemodified1tobemodified2 changeme changemechangeme changeit changethis
  replaceme secret secretsecret secretkey mysecret mysecretkey supersecret supersecretkey verysecret topsecret asecret
  yoursecret yoursecretkey yourjwtsecret jwtsecret myjwtsecret jwtsecretkey salt somesalt apitokensalt strapi strapisecret
  stele password passw0rd admin root test example default qwerty randomstring arandomstring keyboardcat`.split(/\s+/),
)
