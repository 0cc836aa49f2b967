"""Second factors: codes once each, recovery codes, who needs one, resets, over the wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pyotp
import pytest

from croupier.errors import BadInput
from croupier.server.auth import second_factor
from croupier.server.auth.accounts import Accounts, Authorship
from croupier.server.auth.guess_limit import Locked
from croupier.server.auth.second_factor import STEP_MS, SecondFactorNeeded
from croupier.server.auth.session_policy import LIVE, PRACTICE
from croupier.server.auth.sessions import NotAdmitted
from croupier.server.client import ResponseError
from croupier.table import Account
from tests.support.floor_server import (
    PASSWORD,
    ServerThread,
    open_accounts,
    recorded_sign_ins,
    run,
    serving,
)
from tests.support.founders import enroll
from tests.support.rounds import refuses

HERE = "10.0.0.7"
AT = 1_767_614_400_000


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Accounts]:
    """People whose role needs a second factor, and others, with the limits of a live ledger."""
    with open_accounts(tmp_path / "floor.db") as accounts:
        accounts.policy = LIVE
        for name, role in {
            "petra": "pit_manager",
            "olga": "operator",
            "sam": "surveillance",
            "dana": "dealer",
            "ann": "player",
        }.items():
            accounts.add(name, PASSWORD, [(role, "*")])  # type: ignore[list-item]
        yield accounts


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The clock of the codes: a list with the time that it shows."""
    now = [AT]
    monkeypatch.setattr(second_factor, "now_ms", lambda: now[0])
    return now


def code(secret: str, at: int) -> str:
    """The code that the app shows at a time."""
    return str(pyotp.TOTP(secret).at(at // 1000))


def add_app(people: Accounts, name: str, clock: list[int]) -> tuple[str, tuple[str, ...]]:
    """Add an authenticator app; return its secret and the recovery codes."""
    setup = people.begin_totp(name, PASSWORD, HERE)
    assert f"Croupier:{name}" in setup.uri
    return setup.secret, people.confirm_totp(name, code(setup.secret, clock[0]))


def test_roles_that_need_a_second_factor_have_no_effect_before(
    people: Accounts, clock: list[int]
) -> None:
    """Its owner can sign in to add one, and nothing else. Others need none."""
    petra, token = people.sign_in("petra", PASSWORD)
    assert (True, {}, ()) == (petra.must_enroll, petra.roles, petra.offices)
    assert not people.person("olga").offices
    assert people.person("sam").must_enroll  # may be the second person of a reset
    assert ("dealer",) == people.person("dana").roles_at("T")
    add_app(people, "petra", clock)
    assert ("pit_manager",) == people.authenticate(token).roles_at("T")
    people.policy = PRACTICE
    assert ("operator",) == people.person("olga").offices


def test_a_code_is_accepted_once(people: Accounts, clock: list[int]) -> None:
    """Within one step before or after; not again, and no older one after a newer one."""
    secret, _ = add_app(people, "petra", clock)
    with pytest.raises(SecondFactorNeeded):
        people.identify("petra", PASSWORD, HERE)
    with pytest.raises(NotAdmitted):  # used to confirm the app
        people.identify("petra", PASSWORD, HERE, code(secret, clock[0]))
    clock[0] += 3 * STEP_MS
    for apart, accepted in ((-2, False), (2, False), (0, True), (0, False), (-1, False), (1, True)):
        given = code(secret, clock[0] + apart * STEP_MS)
        if accepted:
            assert "petra" == people.identify("petra", PASSWORD, HERE, given).id
        else:
            with pytest.raises(NotAdmitted):
                people.identify("petra", PASSWORD, HERE, given)
    with pytest.raises(NotAdmitted):  # the code without the password
        people.identify("petra", "a wrong password", HERE, code(secret, clock[0] + STEP_MS))


def test_guesses_of_a_code_are_delayed(people: Accounts, clock: list[int]) -> None:
    """A password that is right does not reset the count; asking for the code is no failure."""
    secret, _ = add_app(people, "petra", clock)
    clock[0] += 2 * STEP_MS
    for _ in range(2 * LIVE.wrong_passwords):
        with pytest.raises(SecondFactorNeeded):
            people.identify("petra", PASSWORD, HERE)
    for _ in range(LIVE.wrong_passwords):
        with pytest.raises(SecondFactorNeeded):
            people.identify("petra", PASSWORD, HERE)
        with pytest.raises(NotAdmitted):
            people.identify("petra", PASSWORD, HERE, "000000")
    with pytest.raises(Locked):
        people.identify("petra", PASSWORD, HERE, code(secret, clock[0]))


def test_recovery_codes_work_once_each(people: Accounts, clock: list[int]) -> None:
    """They are stored as digests; a new app brings new ones."""
    _, codes = add_app(people, "petra", clock)
    assert 10 == len({*codes})
    for _ in range(2):
        people.identify("petra", PASSWORD, HERE, f" {codes[0].upper()} ")
        with pytest.raises(NotAdmitted):
            people.identify("petra", PASSWORD, HERE, codes[0])
        setup = people.begin_totp("petra", PASSWORD, HERE, codes[1])
        clock[0] += 2 * STEP_MS
        codes = people.confirm_totp("petra", code(setup.secret, clock[0]))
    people.engine.dispose()
    folder = Path(people.url.database or "").parent
    content = b"".join(path.read_bytes() for path in folder.iterdir())
    assert not [each for each in codes if each.encode() in content]


def test_a_second_app_needs_the_first(people: Accounts, clock: list[int]) -> None:
    """A password alone replaces no second factor, and an unconfirmed app is none."""
    setup = people.begin_totp("petra", PASSWORD, HERE)
    with pytest.raises(BadInput, match="the code is wrong"):
        people.confirm_totp("petra", "000000")
    assert people.person("petra").must_enroll
    people.confirm_totp("petra", code(setup.secret, clock[0]))
    with pytest.raises(SecondFactorNeeded):
        people.begin_totp("petra", PASSWORD, HERE)
    with pytest.raises(NotAdmitted):
        people.begin_totp("petra", PASSWORD, HERE, "000000")


def test_others_reset_a_second_factor_on_record(people: Accounts, clock: list[int]) -> None:
    """Its owner is signed out and starts again; the record has the change, not the secret."""
    secret, _ = add_app(people, "petra", clock)
    token = people.begin("petra")
    change = Authorship(Account("olga", "operator"), None, "phone lost")
    people.reset_factors("petra", change)
    with pytest.raises(NotAdmitted):
        people.authenticate(token)
    assert people.person("petra").must_enroll
    with refuses("COMAR 36.03.10.10E", "their own account"):
        people.reset_factors("olga", change)
    kinds = [
        (event.factor, str(event.by))  # type: ignore[attr-defined]
        for entry in people.register.history("petra")
        for event in entry.events
        if event.__struct_config__.tag == "factor_set"
    ]
    assert [("totp", "pit_manager petra"), ("reset", "operator olga")] == kinds
    people.engine.dispose()
    assert secret.encode() not in Path(people.url.database or "").with_suffix("").read_bytes()


def test_a_pin_does_not_replace_a_second_factor(people: Accounts, clock: list[int]) -> None:
    """A pit manager relieves nobody by PIN alone."""
    add_app(people, "petra", clock)
    people.set_pin("petra", PASSWORD, "271828", HERE)
    with pytest.raises(NotAdmitted, match="signs in with a second factor"):
        people.relieve(people.begin("dana"), "petra", "271828", HERE)


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[ServerThread]:
    """A server under the policy of a live ledger."""
    with serving(tmp_path) as world:
        assert world.server is not None
        world.server.floor.accounts.policy = LIVE
        yield world


def test_a_person_adds_an_app_and_signs_in_with_its_code(floor: ServerThread) -> None:
    """Over the wire: without it the person has no role; afterwards a code is needed."""

    async def scenario() -> None:
        async with await floor.client("olga") as olga:
            headers = {"authorization": f"Bearer {olga.token}"}
            async with httpx.AsyncClient(base_url=floor.address, headers=headers) as http:
                me = (await http.get("/me")).json()
                assert (True, []) == (me["must_enroll"], me["offices"])
                assert 403 == (await http.get("/submissions")).status_code
                path = "/me/factors/totp"
                wrong = await http.post(path, json={"password": "a wrong password"})
                assert 403 == wrong.status_code
                setup = (await http.post(path, json={"password": PASSWORD})).json()
                confirm = {"code": pyotp.TOTP(setup["secret"]).now()}
                confirmed = await http.post(f"{path}/confirmation", json=confirm)
                codes = confirmed.json()["codes"]
                me = (await http.get("/me")).json()
                assert (False, ["operator"]) == (me["must_enroll"], me["offices"])
            with pytest.raises(ResponseError, match="second factor needed") as needed:
                await olga.sign_in("olga", PASSWORD)
            assert 401 == needed.value.status
            with pytest.raises(ResponseError, match="wrong code"):
                await olga.sign_in("olga", PASSWORD, "000000")
            await olga.sign_in("olga", PASSWORD, codes[0])

    run(scenario())
    failed = [count for kind, name, count in recorded_sign_ins(floor) if kind == "failed"]
    assert 3 == sum(failed)  # a wrong password, no code, a wrong code


def test_the_pages_work_without_scripts(floor: ServerThread) -> None:
    """The sign-in leads to the account page, which shows the key, then the recovery codes."""
    assert floor.server is not None
    codes = enroll(floor.server.floor.accounts, "otto")["otto"]

    async def scenario() -> None:
        headers = {"origin": floor.address}
        async with httpx.AsyncClient(base_url=floor.address, headers=headers) as http:
            form = {"name": "olga", "password": PASSWORD}
            signed_in = await http.post("/sign-in", data=form)
            assert "/account" == signed_in.headers["location"]
            assert "Your roles need a second factor" in (await http.get("/account")).text
            begun = await http.post("/account", data={"app": "begin", "password": PASSWORD})
            secret = begun.text.partition("<pre>")[2].partition("</pre>")[0]
            confirm = {"app": "confirm", "code": pyotp.TOTP(secret).now()}
            shown = (await http.post("/account", data=confirm)).text
            assert "Recovery codes" in shown and secret not in shown
        async with httpx.AsyncClient(base_url=floor.address, headers=headers) as http:
            form = {"name": "otto", "password": PASSWORD}
            assert "second factor needed" in (await http.post("/sign-in", data=form)).text
            signed_in = await http.post("/sign-in", data={**form, "code": next(codes)})
            assert (303, "/") == (signed_in.status_code, signed_in.headers["location"])

    run(scenario())


def test_a_sign_in_link_does_not_replace_a_second_factor(floor: ServerThread) -> None:
    """After a password reset its owner enters a code too; the link is used up only then."""
    assert floor.server is not None
    accounts = floor.server.floor.accounts
    codes = enroll(accounts, "otto")["otto"]
    link = floor.server.sign_in_link("otto", code="0badcafe")

    async def scenario() -> None:
        headers = {"origin": floor.address}
        async with httpx.AsyncClient(base_url=floor.address, headers=headers) as http:
            for form, problem in (
                ({"code": "0badcafe"}, "second factor needed"),
                ({"code": "0badcafe", "factor": "000000"}, "wrong code"),
                ({"code": "00000000", "factor": next(codes)}, "This is not the code"),
            ):
                refused = await http.post(link, data=form)
                assert (401, True) == (refused.status_code, problem in refused.text)
            shown = await http.get(link)
            assert 'name="factor"' in shown.text and "role=" not in shown.text
            form = {"code": "0badcafe", "factor": next(codes)}
            entered = await http.post(link, data=form)
            assert (303, "otto") == (entered.status_code, (await http.get("/me")).json()["account"])
            plain = floor.server.sign_in_link("otto")  # type: ignore[union-attr]
            assert 'name="code"' not in (await http.get(plain)).text
            for _ in range(LIVE.wrong_passwords):
                wrong = await http.post(plain, data={"factor": "000000"})
                assert 401 == wrong.status_code
            assert 429 == (await http.post(plain, data={"factor": next(codes)})).status_code
            accounts.reset_factors("otto")
            assert 303 == (await http.get(plain)).status_code

    run(scenario())
    failed = [count for kind, name, count in recorded_sign_ins(floor) if kind == "failed"]
    assert 3 + LIVE.wrong_passwords + 1 == sum(failed)  # the last one was delayed
