/** Whether this browser can speak of passkeys in JSON. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential !== 'undefined' && 'parseCreationOptionsFromJSON' in PublicKeyCredential;
}

/** Has the browser make a passkey; undefined when the person does not want to. */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<object | undefined> {
  return answerOf(navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }));
}

/** Has the browser answer with a passkey; undefined when the person does not want to. */
export async function usePasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<object | undefined> {
  return answerOf(navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }));
}

async function answerOf(asked: Promise<Credential | null>): Promise<object | undefined> {
  try {
    const credential = await asked;
    return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined;
  } catch {
    return undefined; // the browser says no more than that it was refused or took too long
  }
}
