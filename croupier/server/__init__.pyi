from .app import make_app as make_app
from .auth.accounts import Accounts as Accounts
from .auth.guard import Settings as Settings
from .client import Client as Client
from .floor import Floor as Floor

__all__: list[str]
