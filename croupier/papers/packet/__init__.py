"""The filing of a House: the documents that the law asks for, each approved by itself."""
