"""The portal of challenges: uploads, boards and hidden labels, served to browsers and programs."""
