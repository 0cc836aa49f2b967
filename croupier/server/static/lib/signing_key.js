// Signs a checkpoint with a key file that never leaves this computer (Ed25519 in WebCrypto).

const ALGORITHM = "Ed25519";
const LOG_SIGNATURE = 1; // the type of a log's key in C2SP signed notes
const PEM = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/;

// Whether this browser can sign; it offers cryptography over HTTPS or on this computer only.
export async function canSign() {
  try {
    await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);
    return true;
  } catch {
    return false;
  }
}

// The private key of a PEM file as written by `croupier audit key`, with its public key.
export async function readKeyFile(file) {
  const [, base64] = PEM.exec(await file.text()) ?? [];
  if (!base64)
    throw new Error(
      `${file.name} is not a private key. Choose the PEM file that "croupier audit key" wrote.`,
    );
  try {
    const bytes = Uint8Array.from(atob(base64.replace(/\s/g, "")), (char) => char.charCodeAt(0));
    const key = await crypto.subtle.importKey("pkcs8", bytes, ALGORITHM, true, ["sign"]);
    const { x } = await crypto.subtle.exportKey("jwk", key);
    const publicKey = Uint8Array.from(atob(x.replaceAll("-", "+").replaceAll("_", "/")), (char) =>
      char.charCodeAt(0),
    );
    return { key, publicKey };
  } catch {
    throw new Error(`${file.name} is not an Ed25519 key without a password.`);
  }
}

// The public key as one word, NAME+ID+BASE64, and its id.
export async function publicKeyWord(name, publicKey) {
  const typed = Uint8Array.from([LOG_SIGNATURE, ...publicKey]);
  const content = new Uint8Array([...new TextEncoder().encode(`${name}\n`), ...typed]);
  const id = hex(await crypto.subtle.digest("SHA-256", content)).slice(0, 8);
  return { id, word: `${name}+${id}+${btoa(String.fromCharCode(...typed))}` };
}

export async function signText(key, text) {
  return hex(await crypto.subtle.sign(ALGORITHM, key, new TextEncoder().encode(text)));
}

function hex(buffer) {
  return [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
