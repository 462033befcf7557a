/** The weakness of a secret, as a predicate for its name; undefined if it has none. */
export function weaknessOf(secret: string): string | undefined {
  const plain = secret.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (secret === '') return 'is empty'
  if (examples.has(plain)) return 'is one that stands in examples'
  if (secret.length < shortest) return `has ${secret.length} characters only`
  return new Set(secret).size < fewest ? 'repeats a few characters' : undefined
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
