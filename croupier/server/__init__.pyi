from .app import make_app as make_app
from .auth.accounts import Accounts as Accounts
from .client import Client as Client
from .floor import Floor as Floor
from .settings import Settings as Settings

__all__: list[str]
