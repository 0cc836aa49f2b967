// Passkeys on the sign-in page and the account page; hidden where the browser has none.

import { errorText, postJson } from "../lib/api.js";

const OFFERED = Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);
const find = (name) => document.querySelector(`[data-passkey${name}]`);

function report(error) {
  const problem = find("-problem");
  problem.textContent = error.name === "NotAllowedError" ? "No passkey was used." : errorText(error);
  problem.hidden = false;
}

async function signIn(then) {
  const { id, options } = await postJson("/session/passkey/options", {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  const me = await postJson("/session/passkey", { id, credential: credential.toJSON() });
  const isOwn = then.startsWith("/") && !/^\/[/\\]/.test(then);
  location.assign(me.must_enroll ? "/account" : isOwn ? then : "/");
}

async function add(form) {
  const fields = Object.fromEntries(new FormData(form));
  const { id, options } = await postJson("/me/factors/passkey/options", fields);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  const { codes } = await postJson("/me/factors/passkey", { id, credential: credential.toJSON() });
  const shown = find("-codes");
  const recovery = codes.length ? ["Recovery codes, each for one sign-in:", ...codes] : [];
  shown.textContent = ["The passkey is in use.", ...recovery].join("\n");
  shown.hidden = false;
  form.reset();
}

const button = find('="sign-in"');
if (OFFERED && button) {
  button.hidden = false;
  button.addEventListener("click", () => signIn(button.dataset.then).catch(report));
}

const form = find('="add"');
if (OFFERED && form) {
  find("-card").hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    add(form).catch(report);
  });
}
